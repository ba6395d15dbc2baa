export { ApiError, toApiError, type DefinitionProblem, type SourceRange, type SourceProblem } from './api-error.ts';
export { createServiceClient, unwrap, type ServiceClient, type ServiceClientOptions, type TokenSource } from './service-client.ts';
export type { paths as CredentialsPaths } from './schemas/credentials.d.ts';
export type { paths as ExecutorPaths } from './schemas/executor.d.ts';
export type { paths as GatewayPaths } from './schemas/gateway.d.ts';
export type { paths as StreamPaths } from './schemas/stream.d.ts';
