import { randomBytes } from 'node:crypto';

import { readEnv, SettingsError } from '@svc/service-kit';

import { MASTER_KEY_SETTINGS } from './master-key-settings.ts';

const KEY = randomBytes(32);
const TEXT = KEY.toString('base64');

function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readEnv(env, MASTER_KEY_SETTINGS);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

test('a master key comes from its setting, and a previous one beside it', () => {
  const other = randomBytes(32);
  expect(readEnv({ SVC_MASTER_KEY: TEXT }, MASTER_KEY_SETTINGS)).toEqual({
    settings: { masterKey: KEY, previousMasterKey: undefined },
    warnings: [],
  });
  expect(readEnv({ SVC_MASTER_KEY: TEXT, SVC_PREVIOUS_MASTER_KEY: other.toString('base64') }, MASTER_KEY_SETTINGS).settings).toEqual({
    masterKey: KEY,
    previousMasterKey: other,
  });
});

test('a missing, weak or misplaced master key is named with its setting, and never shown', () => {
  const weak = Buffer.alloc(32, 1).toString('base64');
  const expected = '32 random bytes as base64 (openssl rand -base64 32)';
  expect(problemsOf({})).toEqual([
    `SVC_MASTER_KEY is not set: expected ${expected}, or SVC_MASTER_KEY_FILE: a file that holds such a key, with mode 0600`,
  ]);
  expect(problemsOf({ SVC_MASTER_KEY: weak, SVC_PREVIOUS_MASTER_KEY: 'c2hvcnQ=' })).toEqual([
    `SVC_MASTER_KEY cannot be used: it is weak, expected ${expected}`,
    `SVC_PREVIOUS_MASTER_KEY cannot be used: it has 5 bytes, expected ${expected}`,
  ]);
  expect(problemsOf({ SVC_MASTER_KEY_FILE: '/absent' })).toEqual(['SVC_MASTER_KEY_FILE cannot be used: the file cannot be read (ENOENT)']);
  expect(problemsOf({ SVC_MASTER_KEY: TEXT, SVC_MASTER_KEY_FILE: '/absent' })).toEqual([
    'SVC_MASTER_KEY_FILE cannot be used: SVC_MASTER_KEY is set too',
  ]);
});
