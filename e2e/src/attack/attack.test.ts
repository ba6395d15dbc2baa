import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openDatabase, type Database } from '@svc/database';
import { eventually } from '@svc/test-kit';

import { SERVICES, startAttackTarget, type AttackTarget } from './attack-target.ts';
import { runAttack } from './run-attack.ts';
import { closeConnections } from './send-attack.ts';

/** `npm run attack` sends more. */
const REQUESTS = 400;
const UNAVAILABLE = { code: 'service_unavailable', message: 'The database cannot take this request now. Try again later.' };

let target: AttackTarget;
let database: Database;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  target = await startAttackTarget();
  database = openDatabase({ url: target.databaseUrl, applicationName: 'attack' });
  headers = { Authorization: `Bearer ${await target.token('ann')}` };
}, 300_000);
afterAll(async () => {
  closeConnections();
  await database.close();
  await target.stop();
}, 60_000);

interface Asked {
  readonly status: number;
  readonly text: string;
}

async function ask(path: string, { type, ...init }: RequestInit & { readonly type?: string } = {}): Promise<Asked> {
  const more = type === undefined ? {} : { 'Content-Type': type };
  const response = await fetch(target.urls.executor + path, { ...init, headers: { ...headers, ...more } });
  return { status: response.status, text: await response.text() };
}

const query = (body: string): Promise<Asked> => ask('/query', { method: 'POST', type: 'text/plain', body });

test('random programs, requests, calls of endpoints, files and uploads find no 500, no crash, no leak and no hang', async () => {
  const summary = await runAttack(target, { requests: REQUESTS, seed: 1, concurrency: 4, onFinding: () => undefined });
  // Stalls of the event loop are not checked, since they depend on the machine's load; the command reports them.
  expect(summary.findings.filter((finding) => !finding.includes('stood still'))).toEqual([]);
  expect([...summary.counts.keys()]).toEqual(
    expect.arrayContaining(['program', 'upload', 'call', ...SERVICES.map((name) => `request ${name}`)]),
  );
}, 120_000);

describe('of a database that fails, the answer is 503, and soon it is none', () => {
  /** Sessions of the executor's own, by their processes. */
  const sessions = (): Promise<readonly number[]> =>
    database.session(async (client) => {
      const { rows } = await client.query<{ readonly pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'svc-executor'",
      );
      return rows.map(({ pid }) => pid);
    });

  test('where a statement waits longer than its limit', async () => {
    const answer = await database.session(async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE views IN ACCESS EXCLUSIVE MODE');
      const held = await ask('/views');
      await client.query('ROLLBACK');
      return held;
    });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([503, UNAVAILABLE]);
    expect((await ask('/views')).status).toBe(200);
  });

  test('where its connection is ended amid a statement', async () => {
    const answers = await database.session(async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE views IN ACCESS EXCLUSIVE MODE');
      const held = [ask('/views'), ask('/views/x'), query('SELECT * FROM some_view')];
      await eventually(async () => {
        const { rows } = await client.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'svc-executor%' AND wait_event_type = 'Lock'",
        );
        expect(rows.length).toBeGreaterThan(0);
      });
      const all = await Promise.all(held);
      await client.query('ROLLBACK');
      return all;
    });
    for (const { status, text } of answers) expect([status, JSON.parse(text)]).toEqual([503, UNAVAILABLE]);
    expect((await ask('/views')).status).toBe(200);
  });

  test('where the processes of its sessions stand still', async () => {
    await ask('/views');
    const stopped = await sessions();
    expect(stopped.length).toBeGreaterThan(0);
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    const startedAt = performance.now();
    try {
      const { status, text } = await ask('/views');
      expect([status, JSON.parse(text)]).toEqual([503, UNAVAILABLE]);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      expect((await query('1 + 1')).text).toBe('2\n');
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    }
    await eventually(async () => expect((await ask('/views')).status).toBe(200));
  });
});

test('a line of 33 MB and base64 of 8 MB are read, or refused', async () => {
  await writeFile(join(target.root, 'long.csv'), `a,b\n1,${'x'.repeat(33_000_000)}\n2,y\n`);
  for (const text of ['SELECT a FROM READ("file:long.csv")', 'SELECT a FROM READ_CSV("file:long.csv")'])
    expect((await query(text)).status).toBe(400);
  await ask('/tables/bytes', { method: 'PUT', type: 'application/json', body: '{"type": "collection(record(b: binary))"}' });
  const row = JSON.stringify({ b: Buffer.alloc(6_000_000, 7).toString('base64') });
  const stored = await ask('/tables/bytes/rows', { method: 'POST', type: 'application/x-ndjson', body: `${row}\n` });
  expect(stored).toEqual({ status: 200, text: '{"rows":1}' });
  expect((await query('SELECT COUNT(*) FROM bytes')).text).toBe('1\n');
});
