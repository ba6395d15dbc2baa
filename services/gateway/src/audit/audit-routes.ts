import type { Principal } from '@svc/auth';
import type { AuditStore } from '@svc/database';
import { routeDefiner, type JsonSchema, type Route } from '@svc/service-kit';

const defineRoute = routeDefiner<Principal>();

const ENTRY = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'at', 'actor', 'action', 'target'],
  properties: {
    id: { type: 'integer' },
    at: { type: 'string', format: 'date-time' },
    actor: { type: 'string', description: 'The subject that did it.' },
    action: { type: 'string', examples: ['key.create', 'key.reveal', 'application.put'] },
    target: { type: 'string' },
  },
} as const satisfies JsonSchema;

const DEFAULT_LIMIT = 100;

/** Lists every change and every disclosure of a secret. */
export function auditRoutes(audit: AuditStore): readonly Route<Principal>[] {
  return [
    defineRoute({
      method: 'get',
      path: '/svc/1/api/admin/audit',
      tag: 'audit',
      summary: 'Lists who changed or revealed what, newest first.',
      request: {
        query: {
          properties: {
            limit: { type: 'integer', minimum: 1, maximum: 1000, default: DEFAULT_LIMIT },
            before: { type: 'integer', minimum: 1, description: 'The id of an entry: only older ones are listed.' },
          },
        },
      },
      responses: { 200: { description: 'The entries.', content: { 'application/json': { type: 'array', items: ENTRY } } } },
      handler: async ({ query, caller }) => {
        const entries = await audit.list(caller.namespace, { limit: query.limit, before: query.before });
        return {
          status: 200,
          json: entries.map(({ id, at, actor, action, target }) => ({ id, at: at.toISOString(), actor, action, target })),
        };
      },
    }),
  ];
}
