/**
 * `npm run bench -- stalls [SECONDS [SEED]]`: small requests that are expensive to parse, known ones and random long texts
 * in every place that takes a text, against an executor whose /live is polled. A stall is the latency of /live, as far as
 * the thread of the event loop was computing: on a busy machine it waits for others.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createRandom, mainThreadMillis } from '@svc/test-kit';

import { startBenchStack } from './bench-stack.ts';
import { knownAttacks, randomAttack, writeStallFiles, type StallAttack } from './stalls/stall-attacks.ts';
import { printTable } from './table.ts';

const MOST_MILLIS = 100;
const ATTACK_MILLIS = 60_000;
const PAUSE_MILLIS = 5;
const SHOWN = 15;
const [, seconds = '60', seed = '1'] = process.argv.slice(2);

const root = await mkdtemp(join(tmpdir(), 'svc-stalls-'));
await writeStallFiles(root);
const stack = await startBenchStack({ SVC_FILE_ROOTS: root, SVC_LOG_LEVEL: 'fatal', SVC_QUERY_TIMEOUT_MS: '10000' });
const token = await stack.token('attacker');
const agent = new Agent({ keepAlive: true });
const probe = new Agent({ keepAlive: true, maxSockets: 1 });
try {
  await expectOk({
    name: 'table',
    method: 'PUT',
    path: '/tables/t',
    headers: { 'Content-Type': 'application/json' },
    body: '{"type":"collection(record(a: int, b: string, d: decimal))"}',
  });
  const functions = 'f(x: double, t: timestamp, i: interval, d: decimal) := (x: x, t: t, i: i, d: d);';
  await expectOk({ name: 'package', method: 'PUT', path: '/packages/p', headers: { 'Content-Type': 'text/plain' }, body: functions });
  const measured: { readonly name: string; readonly millis: number; readonly status: number; readonly stall: number }[] = [];
  for (const attack of knownAttacks()) measured.push({ name: attack.name, ...(await measure(attack)) });
  const random = createRandom(Number(seed));
  const until = performance.now() + Number(seconds) * 1000;
  let count = 0;
  for (; performance.now() < until; count += 1) {
    const attack = randomAttack(random);
    const first = await measure(attack);
    // Measured again, since the delay may be caused by another process.
    const again = first.stall > MOST_MILLIS ? await measure(attack) : first;
    measured.push({ name: attack.name, ...again, stall: Math.min(first.stall, again.stall) });
  }
  const worst = measured.toSorted((left, right) => right.stall - left.stall);
  console.log(`\nthe longest stalls of ${measured.length} requests, ${count} of them random (seed ${seed}), beside the limit\n`);
  printTable(
    worst.slice(0, SHOWN).map(({ name, stall, status, millis }) => ({
      name,
      ours: stall,
      floor: MOST_MILLIS,
      unit: 'ms',
      target: { kind: 'at-most', ratio: 1 },
      note: `status ${status} after ${millis.toFixed(0)} ms`,
    })),
  );
} finally {
  agent.destroy();
  probe.destroy();
  await stack.stop();
  await rm(root, { recursive: true, force: true });
}
process.exit();

async function expectOk(attack: StallAttack): Promise<void> {
  const status = await send(attack);
  if (status >= 300 || status === 0) throw new Error(`${attack.name}: status ${status}`);
}

async function measure(attack: StallAttack) {
  const watch = watchLive();
  const begun = performance.now();
  const status = await send(attack);
  const millis = performance.now() - begun;
  return { status, millis, stall: await watch.stop() };
}

/** Sends an attack and reads the response. Resolves to the status, or to 0 without a response. */
function send({ method, path, headers, body }: StallAttack): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const all = { Authorization: `Bearer ${token}`, 'Content-Length': String(Buffer.byteLength(body)), ...headers };
  const signal = AbortSignal.timeout(ATTACK_MILLIS);
  request({ port: stack.port, method, path, headers: all, agent, signal }, (res) => {
    res.resume();
    res.once('close', () => resolve(res.statusCode ?? 0));
  })
    .once('error', () => resolve(0))
    .end(body);
  return promise;
}

/** Polls /live until it is stopped; `stop` returns the longest latency. */
function watchLive(): { readonly stop: () => Promise<number> } {
  let longest = 0;
  let isStopped = false;
  const watching = (async () => {
    while (!isStopped) {
      const [begun, before] = [performance.now(), await mainThreadMillis('executor')];
      await askLive();
      const waited = performance.now() - begun;
      const worked = before === undefined ? waited : ((await mainThreadMillis('executor')) ?? Infinity) - before;
      longest = Math.max(longest, Math.min(waited, worked));
      await sleep(PAUSE_MILLIS);
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await watching;
      return longest;
    },
  };
}

function askLive(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  request(new URL('/live', stack.metricsUrl), { agent: probe }, (res) => {
    res.resume();
    res.once('close', resolve);
  })
    .once('error', reject)
    .end();
  return promise;
}
