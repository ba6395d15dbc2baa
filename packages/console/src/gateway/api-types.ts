import type { GatewayPaths } from '@svc/api-client';

type Answer<Path extends keyof GatewayPaths> = GatewayPaths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

/** An API key as lists and details show it, without its text. */
export type ApiKey = Answer<'/svc/1/api/admin/keys/{id}'>;
/** The calls that a key may make in a time. */
export type RateLimit = NonNullable<ApiKey['rateLimit']>;
/** An application with its endpoints and current faults. */
export type Application = Answer<'/svc/1/api/admin/applications/{name}'>;
export type Endpoint = Application['endpoints'][number];
export type Problem = Application['problems'][number];
/** An entry of the audit log. */
export type AuditEntry = Answer<'/svc/1/api/admin/audit'>[number];
