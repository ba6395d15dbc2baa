import autocannon from 'autocannon';

import type { BenchStack } from '../bench-stack.ts';
import type { Row } from '../table.ts';

/** Options of the measurement. */
export interface CallMeasuring {
  readonly stack: BenchStack;
  readonly seconds: number;
  readonly rounds: number;
}

const CALLERS = [1, 16];

/** Measures an endpoint called with a key, and the same function called at the executor. */
export async function measureCalls({ stack, seconds, rounds }: CallMeasuring): Promise<readonly Row[]> {
  const { endpoint, direct } = await putEndpoint(stack);
  const rows: Row[] = [];
  for (const callers of CALLERS) {
    const [ours, floor]: [number[], number[]] = [[], []];
    for (let round = -1; round < rounds; round += 1) {
      const [mine, theirs] = [await meanLatency(endpoint, callers, seconds), await meanLatency(direct, callers, seconds)];
      if (round < 0) continue; // both get warm
      console.log(`calls, ${callers} at once: ${mine.toFixed(2)} ms, at the executor ${theirs.toFixed(2)} ms`);
      ours.push(mine);
      floor.push(theirs);
    }
    const name = `endpoint call, ${callers} caller${callers === 1 ? '' : 's'}`;
    rows.push({ name, ours: Math.min(...ours), floor: Math.min(...floor), unit: 'ms', target: { kind: 'at-most', ratio: 1.3 } });
  }
  return rows;
}

async function putEndpoint({ port, gatewayPort, token }: BenchStack) {
  const headers = { authorization: `Bearer ${await token('bench', 'svc:admin')}` };
  const [executor, gateway] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${gatewayPort}`];
  const send = async (url: string, type: string, { method, body }: { readonly method: string; readonly body: string }) => {
    const answer = await fetch(url, { method, body, headers: { ...headers, 'content-type': type } });
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Readonly<Record<string, string>>;
  };
  const code = '@get("/square/{n}") square(n: int) := n * n;';
  await send(`${executor}/packages/bench`, 'text/plain', { method: 'PUT', body: code });
  const definition = 'application: bench\npackages: [bench]';
  await send(`${gateway}/svc/1/api/admin/applications/bench`, 'application/yaml', { method: 'PUT', body: definition });
  const { key = '' } = await send(`${gateway}/svc/1/api/admin/keys`, 'application/json', { method: 'POST', body: '{"name":"bench"}' });
  return {
    endpoint: { url: `${gateway}/bench/1/public/square/7`, headers: { 'X-SVC-API-KEY': key } },
    direct: {
      url: `${executor}/packages/bench/functions/square`,
      method: 'POST' as const,
      headers: { ...headers, 'content-type': 'application/json', 'x-svc-output-format': 'json' },
      body: '{"n":7}',
    },
  };
}

async function meanLatency(options: autocannon.Options, connections: number, seconds: number): Promise<number> {
  let [sum, count] = [0, 0];
  const { non2xx, errors } = await autocannon({
    ...options,
    connections,
    duration: seconds,
    setupClient: (client) =>
      client.on('response', (_status, _bytes, millis) => {
        sum += millis;
        count += 1;
      }),
  });
  if (non2xx + errors > 0) throw new Error(`${options.url}: ${non2xx} refused, ${errors} failed`);
  return sum / count;
}
