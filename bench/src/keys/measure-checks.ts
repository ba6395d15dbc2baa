import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createHistogram } from 'node:perf_hooks';

import autocannon from 'autocannon';

import { createApiKeyText } from '@svc/auth';

import { cpuSecondsOf } from '../stream/process-usage.ts';
import type { Row } from '../table.ts';
import type { MadeKey } from './make-keys.ts';

/** Options of the measurement. */
export interface CheckMeasuring {
  readonly url: string;
  readonly keys: readonly MadeKey[];
  readonly seconds: number;
  readonly rounds: number;
}

interface Load {
  readonly perSecond: number;
  readonly p99: number;
  /** Processor time of the server for a request; others on the machine do not change it much. */
  readonly cpuMicros: number;
}

const CONNECTIONS = 64;
const INVALID_SHARE = 0.1;
const INVALID_KEYS = 1_000;
/** Size of the gateway's cache. */
const MOST_WARM = 150_000;

/** Measures the key check alone, in the same bare Express server as a SHA-256 and a Map; each in a separate process, alternating. */
export async function measureChecks({ url, keys, seconds, rounds }: CheckMeasuring): Promise<Row> {
  const invalid = Array.from({ length: INVALID_KEYS }, () => createApiKeyText('bench'));
  const valid = keys.map(({ value }) => value);
  const pick = (): string => {
    const from = Math.random() < INVALID_SHARE ? invalid : valid;
    return from[Math.floor(Math.random() * from.length)] ?? '';
  };
  const servers = { floor: await startKeyServer('floor', url), ours: await startKeyServer('ours', url) };
  const loads: Record<keyof typeof servers, Load[]> = { floor: [], ours: [] };
  try {
    await warmUp(servers.ours.port, valid.slice(0, MOST_WARM));
    for (let round = 0; round < rounds; round += 1)
      for (const name of ['floor', 'ours'] as const) {
        const measured = await load(servers[name], pick, seconds);
        loads[name].push(measured);
        console.log(
          `checks, ${name}: ${measured.perSecond.toFixed(0)} requests/s, p99 ${measured.p99.toFixed(2)} ms, ${measured.cpuMicros.toFixed(0)} µs of CPU a request`,
        );
      }
  } finally {
    for (const { stop } of Object.values(servers)) stop();
  }
  const [ours, floor] = [loads.ours, loads.floor].map((all) => ({
    perSecond: Math.max(...all.map(({ perSecond }) => perSecond)),
    p99: Math.min(...all.map(({ p99 }) => p99)),
    cpuMicros: Math.min(...all.map(({ cpuMicros }) => cpuMicros)),
  })) as [Load, Load];
  const added = `p99 ${ours.p99.toFixed(2)} ms, floor ${floor.p99.toFixed(2)} ms: ${(ours.p99 - floor.p99).toFixed(2)} ms added (limit 1)`;
  return {
    name: `key check, ${CONNECTIONS} connections, ${INVALID_SHARE * 100} % of them with a key that is none`,
    ours: ours.perSecond,
    floor: floor.perSecond,
    unit: 'requests/s',
    target: { kind: 'at-least', ratio: 0.8 },
    note: `${added}; CPU a request ${ours.cpuMicros.toFixed(0)} µs, floor ${floor.cpuMicros.toFixed(0)}`,
  };
}

async function startKeyServer(kind: 'ours' | 'floor', url: string) {
  const child = spawn(process.execPath, ['--conditions=@svc/source', join(import.meta.dirname, 'key-server.ts'), kind, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(first.toString()), pid: child.pid ?? 0, stop: () => child.kill() };
}

/** Sends each key once, to fill the cache as in a long-running server. */
async function warmUp(port: number, keys: readonly string[]): Promise<void> {
  const startedAt = performance.now();
  const left = keys.values();
  const { non2xx, errors } = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTIONS,
    amount: keys.length,
    requests: [{ method: 'GET', path: '/', setupRequest: (request) => withKey(request, left.next().value ?? keys[0] ?? '') }],
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} of ${keys.length} valid keys were refused, ${errors} requests failed`);
  console.log(`checks: ${keys.length} keys were looked up first, in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

async function load({ port, pid }: { readonly port: number; readonly pid: number }, pick: () => string, seconds: number): Promise<Load> {
  const micros = createHistogram();
  const before = await cpuSecondsOf(pid);
  const { requests } = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient: (client) => client.on('response', (_status, _bytes, millis) => micros.record(Math.max(1, Math.round(millis * 1000)))),
    requests: [{ method: 'GET', path: '/', setupRequest: (request) => withKey(request, pick()) }],
  });
  const cpuSeconds = (await cpuSecondsOf(pid)) - before;
  return { perSecond: requests.average, p99: micros.percentile(99) / 1000, cpuMicros: (cpuSeconds * 1e6) / requests.total };
}

function withKey(request: autocannon.Request, key: string): autocannon.Request {
  return { ...request, headers: { 'X-SVC-API-KEY': key } };
}
