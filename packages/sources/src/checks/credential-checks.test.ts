import { createNetworkGuard } from '@svc/network-guard';

import { NO_CREDENTIALS } from '../credentials/credential-lookup.ts';
import { createCredentialChecks, type CredentialChecks } from './credential-checks.ts';

const PREFIX = 'https://x.example/';
let checks: CredentialChecks;
beforeAll(() => {
  checks = createCredentialChecks({
    // No name server answers.
    networkGuard: createNetworkGuard({ allow: [], resolveAll: () => undefined }),
    timeoutMs: 300,
    endpoints: {},
    credentials: {
      ...NO_CREDENTIALS,
      bucket: async () => ({ region: 'eu-west-1', accessKey: 'a', secretKey: 'b', identity: 'i' }),
      databaseServer: async () => ({
        ...{ host: 'x.example', port: 5432, database: 'd', username: 'u', password: 'p', properties: {}, identity: 'i' },
      }),
      fileHostToken: async () => ({ accessToken: 'a', identity: 'i' }),
      httpCredential: async () => ({
        ...{ prefixUrl: PREFIX, identity: 'i' },
        secret: { type: 'oauth-client', clientId: 'a', clientSecret: 'b', tokenUrl: 'https://y.example/t', useBasicAuth: null },
      }),
    },
  });
});
afterAll(() => checks.close());

test.each(['bucket', 'databaseServer', 'fileHostToken', 'httpCredential'] as const)(
  'the check of a %s ends in time while it is connecting',
  async (kind) => {
    // A connection alone may take 10 seconds.
    const tooLate = Promise.withResolvers<'too late'>();
    const timer = setTimeout(() => tooLate.resolve('too late'), 8_000);
    const outcome = checks[kind]({ subject: 's', name: kind === 'httpCredential' ? PREFIX : 'n', signal: new AbortController().signal });
    expect(await Promise.race([outcome, tooLate.promise])).toEqual({ ok: false, error: 'no answer came within 0.3 seconds' });
    clearTimeout(timer);
  },
);
