import type { Principal } from '@svc/auth';
import type { CredentialSummary, StoredCredentialEvent } from '@svc/database';
import { routeDefiner, type Route } from '@svc/service-kit';
import type { Credentials } from '@svc/vault';

const defineRoute = routeDefiner<Principal>();

const TIME_OR_NULL = { type: ['string', 'null'], format: 'date-time' } as const;
const NAME = { type: ['string', 'null'], description: 'As it was registered; null for the file host token, which has none.' } as const;
const KIND = { type: 'string', enum: ['objbucket', 'rdbmsserver', 'filehost-token', 'http-credential'] } as const;

const SUMMARY = {
  type: 'object',
  required: ['kind', 'name', 'createdAt', 'lastUsedAt', 'lastErrorAt', 'lastError'],
  properties: {
    kind: KIND,
    name: NAME,
    createdAt: { type: 'string', format: 'date-time' },
    lastUsedAt: TIME_OR_NULL,
    lastErrorAt: TIME_OR_NULL,
    lastError: { type: ['string', 'null'] },
  },
} as const;

const EVENT = {
  type: 'object',
  required: ['id', 'at', 'action', 'kind', 'name', 'times', 'error'],
  properties: {
    id: { type: 'integer' },
    at: { type: 'string', format: 'date-time' },
    action: { type: 'string', enum: ['created', 'read', 'used', 'checked', 'refreshed', 'deleted'] },
    kind: KIND,
    name: NAME,
    times: { type: 'integer', description: 'How many uses in a row it stands for.' },
    error: { type: ['string', 'null'] },
  },
} as const;

const PAGE = {
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    before: { type: 'integer', minimum: 1, description: 'Only those before the event of this id.' },
  },
} as const;

/** The endpoints that list all kinds of credentials, and their events. Never a secret. */
export function overviewRoutes(credentials: Credentials): readonly Route<Principal>[] {
  return [
    defineRoute({
      method: 'get',
      path: '/credentials',
      tag: 'overview',
      summary: 'Lists all registered credentials by kind and name, with their last use and last error.',
      responses: { 200: { description: 'Summaries.', content: { 'application/json': { type: 'array', items: SUMMARY } } } },
      handler: async ({ caller }) => ({ status: 200, json: (await credentials.listAll(caller.subject)).map(showSummary) }),
    }),
    defineRoute({
      method: 'get',
      path: '/credential-events',
      tag: 'overview',
      summary: 'Lists who created, read, used, checked or deleted which credential and when, the newest first.',
      request: { query: PAGE },
      responses: { 200: { description: 'Events.', content: { 'application/json': { type: 'array', items: EVENT } } } },
      handler: async ({ caller, query }) => {
        const events = await credentials.listEvents(caller.subject, { limit: query.limit, before: query.before });
        return { status: 200, json: events.map(showEvent) };
      },
    }),
  ];
}

function showSummary({ kind, name, createdAt, lastUsedAt, lastErrorAt, lastError }: CredentialSummary) {
  return { kind, name: name || null, createdAt, lastUsedAt, lastErrorAt, lastError };
}

function showEvent({ id, at, action, kind, name, times, error }: StoredCredentialEvent) {
  return { id, at, action, kind, name: name || null, times, error };
}
