import { readEnv } from '@svc/service-kit';

import { EXECUTOR_SETTINGS } from './config.ts';

const GOOD = { SVC_DATABASE_URL: 'postgresql://db/x', SVC_TOKEN_ISSUER: 'https://issuer.example', SVC_TOKEN_AUDIENCE: 'svc' };

test('without a master key, or with a weak one, the executor does not start', () => {
  expect(() => readEnv(GOOD, EXECUTOR_SETTINGS)).toThrow(/^SVC_MASTER_KEY is not set: expected 32 random bytes as base64/);
  const weak = { ...GOOD, SVC_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };
  expect(() => readEnv(weak, EXECUTOR_SETTINGS)).toThrow(/^SVC_MASTER_KEY cannot be used: it is weak/);
});
