import type { Principal } from '@svc/auth';
import { routeDefiner, type Route } from '@svc/service-kit';
import type { CheckOutcome, CredentialChecks } from '@svc/sources';
import type { Credentials } from '@svc/vault';

const defineRoute = routeDefiner<Principal>();

const OUTCOME = {
  type: 'object',
  required: ['ok'],
  properties: { ok: { type: 'boolean' }, error: { type: 'string', description: 'Why it was not accepted; absent where it was.' } },
} as const;

const RESPONSES = { 200: { description: 'Whether it was accepted.', content: { 'application/json': OUTCOME } } } as const;

/** The endpoints that test a credential against its system. They change nothing that is registered. */
export function checkRoutes(credentials: Credentials, checks: CredentialChecks): readonly Route<Principal>[] {
  return [
    defineRoute({
      method: 'post',
      path: '/objbuckets/:name/check',
      tag: 'buckets',
      summary: 'Tries the keys of a bucket: lists one object.',
      responses: RESPONSES,
      errors: ['objstore_credentials_not_found', 'credentials_unreadable'],
      handler: async ({ params, caller: { subject }, signal }) => {
        const outcome = await credentials.check({ subject, kind: 'objbucket', name: params.name }, (name) =>
          checks.bucket({ subject, name, signal }),
        );
        return { status: 200, json: show(outcome) };
      },
    }),
    defineRoute({
      method: 'post',
      path: '/rdbmsservers/:name/check',
      tag: 'database servers',
      summary: 'Tries to log in to a database server.',
      responses: RESPONSES,
      errors: ['database_credentials_not_found', 'credentials_unreadable'],
      handler: async ({ params, caller: { subject }, signal }) => {
        const outcome = await credentials.check({ subject, kind: 'rdbmsserver', name: params.name }, (name) =>
          checks.databaseServer({ subject, name, signal }),
        );
        return { status: 200, json: show(outcome) };
      },
    }),
    defineRoute({
      method: 'post',
      path: '/filehost-tokens/check',
      tag: 'file host token',
      summary: 'Tries the token of the file host: lists the top folder.',
      responses: RESPONSES,
      errors: ['filehost_token_not_found', 'credentials_unreadable'],
      handler: async ({ caller: { subject }, signal }) => {
        const outcome = await credentials.check({ subject, kind: 'filehost-token', name: '' }, () =>
          checks.fileHostToken({ subject, signal }),
        );
        return { status: 200, json: show(outcome) };
      },
    }),
    defineRoute({
      method: 'post',
      path: '/http-creds/:name/check',
      tag: 'HTTP credentials',
      summary: 'Tries the credentials of a prefix: requests it, with a token of the token endpoint where they are for one.',
      responses: RESPONSES,
      errors: ['http_credentials_not_found', 'credentials_unreadable'],
      handler: async ({ params, caller: { subject }, signal }) => {
        const outcome = await credentials.check({ subject, kind: 'http-credential', name: params.name }, (name) =>
          checks.httpCredential({ subject, name, signal }),
        );
        return { status: 200, json: show(outcome) };
      },
    }),
  ];
}

function show(outcome: CheckOutcome): CheckOutcome {
  return outcome.ok ? { ok: true } : { ok: false, error: outcome.error };
}
