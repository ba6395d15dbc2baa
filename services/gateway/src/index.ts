export { readApiKeyHeader } from './callers/api-key-header.ts';
export { watchChanges } from './callers/change-watch.ts';
export { KeyCheck } from './callers/key-check.ts';
export { createGatewayApp, type GatewayDependencies } from './app.ts';
export { createKeyValue } from './keys/key-value.ts';
