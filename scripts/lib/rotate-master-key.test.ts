import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import {
  CredentialEventStore,
  CredentialStore,
  migrate,
  openDatabase,
  SealedRecordStore,
  SEALED_TABLES,
  type Database,
} from '@svc/database';
import { createTestDatabase } from '@svc/test-kit';
import { createCredentialReader, createVault } from '@svc/vault';

import { PROJECT } from './project.js';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const [before, during, after] = [
  createVault({ masterKey: OLD }),
  createVault({ masterKey: NEW, previousMasterKey: OLD }),
  createVault({ masterKey: NEW }),
];
const COUNT = 1000;
/** Pause between two reads of a lane. Readers without pauses would slow down the rotation. */
const REST_MS = 3;

let url: string;
let drop: () => Promise<void>;
let database: Database;

beforeEach(async () => {
  ({ url, drop } = await createTestDatabase({ migrate }));
  database = openDatabase({ url, applicationName: 'test', connectTimeoutMs: 60_000 });
});
afterEach(async () => {
  await database.close();
  await drop();
});

function startRotation(env: Readonly<Record<string, string>> = {}): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, ['--conditions=@svc/source', join(PROJECT, 'scripts', 'rotate-master-key.js')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      SVC_DATABASE_URL: url,
      SVC_MASTER_KEY: NEW.toString('base64'),
      SVC_PREVIOUS_MASTER_KEY: OLD.toString('base64'),
      ...env,
    },
  });
}

/** Runs it to its end. */
async function rotate(
  env?: Readonly<Record<string, string>>,
): Promise<{ readonly code: unknown; readonly out: string; readonly err: string }> {
  const child = startRotation(env);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, out, err };
}

const nameOf = (n: number): string => `bucket-${n}`;

async function insertBuckets(): Promise<void> {
  const rows = Array.from({ length: COUNT }, (_, n) => {
    const [subject, kind, name] = ['ann', 'objbucket', nameOf(n)] as const;
    const contents = JSON.stringify({ region: 'r', keys: { accessKey: 'a', secretKey: `secret ${n}` } });
    return { subject, kind, name, shown_name: name, sealed: before.seal({ owner: subject, kind, name }, contents) };
  });
  await database.db.insertInto('credentials').values(rows).execute();
}

/** Returns the number of records still under another master key. */
async function countLeft(): Promise<number> {
  const store = new SealedRecordStore(database);
  const counts = await Promise.all(SEALED_TABLES.map((table) => store.count({ table, prefix: after.sealedPrefix })));
  return counts.reduce((sum, count) => sum + count, 0);
}

test('a rotation that is killed and repeated puts every secret under the new key, and no read fails meanwhile', async () => {
  await insertBuckets();
  const [store, events] = [new CredentialStore(database), new CredentialEventStore(database)];
  const reader = createCredentialReader({ store, events, vault: during, onFailure: () => undefined });
  const stopReading = new AbortController();
  let reads = 0;
  const reading = Array.from({ length: 4 }, async (_, lane) => {
    for (let n = lane; !stopReading.signal.aborted; n = (n + 7919) % COUNT) {
      const secret = (await reader.bucket('ann', nameOf(n)))?.secretKey;
      if (secret !== `secret ${n}`) throw new Error(`${nameOf(n)} has ${String(secret)}`);
      reads += 1;
      await delay(REST_MS);
    }
  });

  const killed = startRotation();
  await once(killed.stdout, 'data');
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const left = await countLeft();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(COUNT);
  const readsBefore = reads;
  const { code, out, err } = await rotate();

  expect([code, err]).toEqual([0, '']);
  expect(out.trim().split('\n').at(-1)).toBe(`${left} secrets put under the new master key.`);
  expect(out).toContain(`credentials: 200 of ${left}`);
  expect(await countLeft()).toBe(0);
  expect(reads).toBeGreaterThan(readsBefore);
  stopReading.abort();
  await Promise.all(reading);
  const readerAfter = createCredentialReader({ store, events, vault: after, onFailure: () => undefined });
  expect((await readerAfter.bucket('ann', nameOf(COUNT - 1)))?.secretKey).toBe(`secret ${COUNT - 1}`);
  expect((await rotate()).out).toBe('0 secrets put under the new master key.\n');
});

test('every sealed table is walked, and a record that does not open is named and left', async () => {
  await database.db
    .insertInto('credentials')
    .values({
      subject: 'ann',
      kind: 'objbucket',
      name: 'bad',
      shown_name: 'bad',
      sealed: createVault({ masterKey: randomBytes(32) }).seal({ owner: 'ann', kind: 'objbucket', name: 'bad' }, '{}'),
    })
    .execute();
  const id = '0a0a0a0a-1111-4222-8333-444444444444';
  await database.db
    .insertInto('api_keys')
    .values({
      id,
      namespace: 'ann',
      name: 'key',
      key_prefix: 'svc',
      sealed: before.seal({ owner: 'ann', kind: 'api-key', name: id }, 'the key'),
      expires_at: new Date(),
      is_active: true,
      rate_limit_requests: null,
      rate_limit_seconds: null,
      created_by: 'ann',
    })
    .execute();

  const { code, out, err } = await rotate();

  expect(code).toBe(1);
  expect(out).toContain('1 secrets put under the new master key.');
  expect(err).toBe(
    'The sealed objbucket "bad" of "ann" does not open: it was sealed under a master key that is not configured.\n' +
      '1 secrets could not be opened and stay as they are.\n',
  );
  const [key] = await database.db.selectFrom('api_keys').select('sealed').execute();
  expect(after.open({ owner: 'ann', kind: 'api-key', name: id }, key?.sealed ?? Buffer.alloc(0))).toBe('the key');
});

test('without a previous master key nothing is touched', async () => {
  expect(await rotate({ SVC_PREVIOUS_MASTER_KEY: '' })).toEqual({
    code: 1,
    out: '',
    err: 'SVC_PREVIOUS_MASTER_KEY is not set: expected the master key before SVC_MASTER_KEY\n',
  });
});
