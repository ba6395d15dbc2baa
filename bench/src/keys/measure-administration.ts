import autocannon from 'autocannon';

import { createApiKeyText } from '@svc/auth';

import type { BenchStack } from '../bench-stack.ts';
import { residentBytesOf } from '../executor-watch.ts';
import type { Row } from '../table.ts';
import type { MadeKey } from './make-keys.ts';

/** Dependencies of the measurement. */
export interface AdministrationMeasuring {
  readonly stack: BenchStack;
  readonly keys: readonly MadeKey[];
  readonly namespace: string;
}

const CHECKED = 20_000;
const INVALID_EVERY = 10;
const PAGES = 5;
const REVEALED = 20;
const PAGE_MILLIS = 100;
const MOST_MEGABYTES = 400;

/** Measures a gateway with many keys: lookups, pages of the list, requests with guessed keys, and memory. */
export async function measureAdministration({ stack, keys, namespace }: AdministrationMeasuring): Promise<readonly Row[]> {
  const gateway = `http://127.0.0.1:${stack.gatewayPort}`;
  const headers = { authorization: `Bearer ${await stack.token(namespace, 'svc:admin')}` };
  await reveal(`${gateway}/svc/1/api/admin/keys`, headers, keys);
  const page = await slowestPage(`${gateway}/svc/1/api/admin/keys`, headers);
  await checkAnswers(gateway, keys);
  const guesses = await guess(gateway);
  const resident = (await residentBytesOf(stack.gatewayMetricsUrl)) / 2 ** 20;
  return [
    { name: `a page of the list of keys, slowest of ${PAGES}`, ours: page, floor: PAGE_MILLIS, unit: 'ms', target: atMost },
    {
      name: 'keys that are guessed, all of them refused',
      ours: guesses,
      floor: 1000,
      unit: 'requests/s',
      target: { kind: 'at-least', ratio: 1 },
    },
    { name: 'resident memory of the gateway after that', ours: resident, floor: MOST_MEGABYTES, unit: 'MB', target: atMost },
  ];
}

const atMost = { kind: 'at-most', ratio: 1 } as const;

/** Checks a sample of the values: they are sealed in the gateway's format. */
async function reveal(url: string, headers: Readonly<Record<string, string>>, keys: readonly MadeKey[]): Promise<void> {
  for (let i = 0; i < REVEALED; i += 1) {
    const { id, value } = keys[Math.floor(Math.random() * keys.length)] ?? { id: '', value: '' };
    const answer = (await (await fetch(`${url}/${id}/reveal`, { method: 'POST', headers })).json()) as { readonly key?: string };
    if (answer.key !== value) throw new Error(`the key ${id} is revealed as another value than was made`);
  }
}

async function slowestPage(first: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const times: number[] = [];
  let url: string | undefined = first;
  for (let i = 0; i < PAGES && url !== undefined; i += 1) {
    const startedAt = performance.now();
    const answer: Response = await fetch(url, { headers });
    if (!answer.ok) throw new Error(`GET ${url}: ${answer.status}`);
    await answer.json();
    times.push(performance.now() - startedAt);
    const next: string | undefined = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    url = next === undefined ? undefined : new URL(next, first).href;
  }
  return Math.max(...times);
}

/** A valid key at an unknown path results in 404, an invalid key in 401. Each response must be the correct one. */
async function checkAnswers(gateway: string, keys: readonly MadeKey[]): Promise<void> {
  let asked = 0;
  const { statusCodeStats = {}, errors } = await autocannon({
    url: gateway,
    connections: 64,
    amount: CHECKED,
    requests: [
      {
        method: 'GET',
        path: '/bench/1/public/nothing',
        setupRequest: (request) => {
          asked += 1;
          const one = keys[Math.floor(Math.random() * keys.length)];
          const text = asked % INVALID_EVERY === 0 ? createApiKeyText('bench') : (one?.value ?? '');
          return { ...request, headers: { 'X-SVC-API-KEY': text } };
        },
      },
    ],
  });
  const found = Object.fromEntries(Object.entries(statusCodeStats).map(([status, { count = 0 }]) => [status, count]));
  console.log(`answers to ${CHECKED} keys, each tenth unknown: ${JSON.stringify(found)}, ${errors} errors`);
  const unknown = CHECKED / INVALID_EVERY;
  // A request that is prepared and not sent shifts the tenths by one for a connection.
  if (errors > 0 || Math.abs((found['401'] ?? 0) - unknown) > 64 || (found['401'] ?? 0) + (found['404'] ?? 0) !== CHECKED)
    throw new Error(`expected ${CHECKED - unknown} answers of 404 and ${unknown} of 401`);
}

/** Sends invalid keys with a correct checksum, each a new one. */
async function guess(gateway: string): Promise<number> {
  const {
    requests,
    statusCodeStats = {},
    errors,
  } = await autocannon({
    url: gateway,
    connections: 64,
    duration: 5,
    requests: [
      {
        method: 'GET',
        path: '/bench/1/public/square/7',
        setupRequest: (request) => ({ ...request, headers: { 'X-SVC-API-KEY': createApiKeyText('bench') } }),
      },
    ],
  });
  if (errors > 0 || Object.keys(statusCodeStats).some((status) => status !== '401'))
    throw new Error(`guessed keys were answered with ${JSON.stringify(statusCodeStats)}, ${errors} errors`);
  return requests.average;
}
