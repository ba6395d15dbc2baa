import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startEmbeddedPostgres } from '@svc/local-stack';
import { createTestDatabase, eventually, findPostgresClient } from '@svc/test-kit';

import { openStacks, untilNoProcess, type Stack } from '../stack.ts';
import { LiveData } from './live-data.ts';
import { createTopic } from './test-topic.ts';

const run = promisify(execFile);

const PAGE = await readFile(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
const [DUMP = '', RESTORE = ''] = [...PAGE.matchAll(/```sh\n((?:(?!```)[\s\S])*)```/g)].map(([, commands]) => commands);
const PATH = await findPostgresClient();

const closers: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

async function stop(stack: Stack, dataDir: string): Promise<void> {
  stack.process.kill('SIGTERM');
  await stack.ended;
  await untilNoProcess(dataDir);
}

/** Three starts of everything. */
const TIMEOUT_MS = 600_000;
const NOT_RUN = PATH === undefined ? ': not run, since neither pg_dump 18 nor pip is at hand' : '';

test(
  `the runbook restores everything into a new cluster, and streams store what came after the backup, once${NOT_RUN}`,
  async () => {
    if (PATH === undefined) return;
    const folder = await mkdtemp(join(tmpdir(), 'svc-backup-'));
    closers.push(() => rm(folder, { recursive: true, force: true }));
    const [old, topic, stacks] = await Promise.all([createTestDatabase(), createTopic(), openStacks()]);
    closers.push(old.drop, topic.close);
    const cluster = await startEmbeddedPostgres({ directory: join(folder, 'postgres') });
    closers.push(cluster.stop, stacks.close);
    const env = { PATH, BACKUP: folder, SVC_DATABASE_URL: old.url, NEW_DATABASE_URL: cluster.url };
    const key = { SVC_MASTER_KEY: randomBytes(32).toString('base64') };

    const first = stacks.start({ ...key, SVC_DATABASE_URL: old.url });
    await first.ready;
    const data = await LiveData.create(stacks.settings, topic);
    closers.push(() => data.close());
    await topic.send(100);
    await eventually(async () => expect(await data.countEvents()).toEqual({ rows: 100, ids: 100 }));
    const before = await data.see();
    await run('bash', ['-euc', DUMP], { env });
    // Data stored after the backup is lost with the old cluster, but still in Kafka.
    await topic.send(100);
    await eventually(async () => expect(await data.countEvents()).toEqual({ rows: 200, ids: 200 }));
    await data.upload();
    await stop(first, stacks.dataDir);

    await run('bash', ['-euc', RESTORE], { env });
    const wrong = stacks.start({ SVC_MASTER_KEY: randomBytes(32).toString('base64'), SVC_DATABASE_URL: cluster.url });
    await wrong.ready;
    expect(await data.readSecret()).toMatch(
      /^500 \{"code":"credentials_unreadable","message":"The stored credentials of the HTTP prefix .* cannot be decrypted: they were stored under another master key than this service has\."/,
    );
    await stop(wrong, stacks.dataDir);

    const restored = stacks.start({ ...key, SVC_DATABASE_URL: cluster.url });
    await restored.ready;
    expect(await data.see()).toEqual(before);
    expect(before).toMatchObject({ table: '{"n":1,"ids":1}\n', endpoint: '200 ["/0"]\n', secret: '200 7\n' });
    await topic.send(100);
    await eventually(async () => expect(await data.countEvents()).toEqual({ rows: 300, ids: 300 }));
    await data.upload();
    await stop(restored, stacks.dataDir);
  },
  TIMEOUT_MS,
);
