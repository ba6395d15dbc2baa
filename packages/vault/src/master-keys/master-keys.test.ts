import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseMasterKey } from './parse-master-key.ts';
import { readMasterKeyFile } from './read-master-key-file.ts';

const KEY = randomBytes(32);
const EXPECTED = 'expected 32 random bytes as base64 (openssl rand -base64 32)';

test('32 random bytes are a key, with or without padding', () => {
  expect(parseMasterKey(KEY.toString('base64'))).toEqual({ kind: 'key', key: KEY });
  expect(parseMasterKey(KEY.toString('base64').replace('=', ''))).toEqual({ kind: 'key', key: KEY });
});

test.each([
  ['not base64 at all', 'it is not base64'],
  [`${KEY.toString('base64').slice(0, 42)}*=`, 'it is not base64'],
  [KEY.toString('hex'), 'it has 48 bytes'],
  [KEY.subarray(1).toString('base64'), 'it has 31 bytes'],
  [Buffer.alloc(32, 7).toString('base64'), 'it is weak'],
  [Buffer.from([...KEY].map((_, index) => index * 3)).toString('base64'), 'it is weak'],
  [Buffer.from('correct horse battery staple 123').toString('base64'), 'it is weak'],
  [Buffer.concat([KEY.subarray(0, 4), Buffer.alloc(28)]).toString('base64'), 'it is weak'],
])('what no generator gives is refused (%#)', (text, reason) => {
  expect(parseMasterKey(text)).toEqual({ kind: 'unusable', reason: `${reason}, ${EXPECTED}` });
});

test('a thousand random keys are all taken', () => {
  const kinds = Array.from({ length: 1000 }, () => parseMasterKey(randomBytes(32).toString('base64')).kind);
  expect(new Set(kinds)).toEqual(new Set(['key']));
});

describe('a file', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-master-key-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function fileWith(text: string, mode: number): Promise<string> {
    const path = join(folder, 'key');
    await writeFile(path, text);
    await chmod(path, mode);
    return path;
  }

  test.each([0o600, 0o400])('for its owner alone holds a key (%#)', async (mode) => {
    const path = await fileWith(`${KEY.toString('base64')}\n`, mode);
    expect(readMasterKeyFile(path)).toEqual({ kind: 'key', key: KEY });
  });

  test.each([0o644, 0o604, 0o622, 0o660])('that others may read or write is refused (%#)', async (mode) => {
    const path = await fileWith(KEY.toString('base64'), mode);
    expect(readMasterKeyFile(path)).toEqual({
      kind: 'unusable',
      reason: `others than its owner may read the file (mode 0${mode.toString(8)}), expected mode 0600`,
    });
  });

  test('that is none, holds no key, or is too large is refused', async () => {
    await mkdir(join(folder, 'a-folder'));
    expect(readMasterKeyFile(join(folder, 'absent'))).toEqual({ kind: 'unusable', reason: 'the file cannot be read (ENOENT)' });
    expect(readMasterKeyFile(join(folder, 'a-folder'))).toEqual({ kind: 'unusable', reason: 'it is no file with a master key' });
    expect(readMasterKeyFile(await fileWith('x'.repeat(5000), 0o600))).toMatchObject({ reason: 'it is no file with a master key' });
    expect(readMasterKeyFile(await fileWith('', 0o600))).toMatchObject({ reason: `it has 0 bytes, ${EXPECTED}` });
  });
});
