/** `npm run bench -- load [PART]`: throughput and latency of an overloaded executor, and of large and small queries together. */
import { setTimeout as sleep } from 'node:timers/promises';

import { DATA, makeData } from './benchmark-data.ts';
import { startBenchStack } from './bench-stack.ts';
import type { Load, Target } from './load-client.ts';
import { ask, closeConnections, closedLoop, openLoop, perSecond, quantile, statuses } from './load-client.ts';
import type { Row } from './table.ts';
import { printTable } from './table.ts';

const SMALL = 'SELECT origin, COUNT(*) AS n FROM READ("file:small.csv") WHERE delay > 0 GROUP BY origin ORDER BY n DESC LIMIT 5';
const MEDIUM = 'SELECT origin, COUNT(*) AS n FROM READ("file:flights.parquet") WHERE delay > 15 GROUP BY origin ORDER BY n DESC LIMIT 5';
const SCAN = 'SELECT destination, COUNT(*) AS n, AVG(price) AS price FROM READ("file:flights.csv") WHERE delay > 15 GROUP BY destination';
const [, part = ''] = process.argv.slice(2);
const CALLERS = 20;
const PEAK_CLIENTS = 16;
const OVERLOAD = 5;
/** Running and waiting queries with the default limits on two cores. */
const PLACES = 8 + 128;
const RECOVERY_MILLIS = 10_000;

await makeData();
const stack = await startBenchStack({ SVC_FILE_ROOTS: DATA, SVC_LOG_LEVEL: 'error' });
try {
  const { port } = stack;
  const tokens = await Promise.all(Array.from({ length: CALLERS }, (_, i) => stack.token(`caller ${i}`)));
  const all: Target = { port, tokens };
  const [one, other] = [0, 1].map((i): Target => ({ port, tokens: tokens.slice(i, i + 1) })) as [Target, Target];
  for (const query of [SMALL, MEDIUM, SCAN]) for (let run = 0; run < 3; run += 1) await ask(all, query);
  await longestStall();
  const rows: Row[] = [];
  for (const [name, measure] of [
    ['overload, small queries', () => measureOverload(all, SMALL)],
    ['overload, group-by', () => measureOverload(all, MEDIUM)],
    ['overload, clients that wait', () => measurePatience(all, SMALL)],
    ['small beside four scans', () => measureMixture(one, other)],
    ['one caller with 50 queries', () => measureFairness(one, other)],
  ] as const) {
    if (!name.includes(part)) continue;
    rows.push(...(await measure()).map((row) => ({ ...row, name: `${name}: ${row.name}` })));
    rows.push({ name: `${name}: longest stall`, ours: await longestStall(), floor: 50, unit: 'ms', target: atMost(1) });
  }
  console.log('\nours beside what it is compared with: the peak, the same without load, the other caller, or the limit\n');
  printTable(rows);
} finally {
  closeConnections();
  await stack.stop();
}

function atMost(ratio: number): NonNullable<Row['target']> {
  return { kind: 'at-most', ratio };
}

function atLeast(ratio: number): NonNullable<Row['target']> {
  return { kind: 'at-least', ratio };
}

/** Five times as many queries as there can be results. */
async function measureOverload(all: Target, query: string): Promise<readonly Row[]> {
  const calm = await closedLoop(all, query, { clients: 1, seconds: 2 });
  const peak = perSecond(await closedLoop(all, query, { clients: PEAK_CLIENTS, seconds: 5 }));
  const overload = await openLoop(all, query, { rate: OVERLOAD * peak, seconds: 8 });
  const recovery = await recoveryMillis(all, query, quantile(calm, 0.5));
  const refused = overload.answers.filter(({ status }) => status === 503);
  const { answers } = overload;
  const explained =
    answers.filter(({ status }) => status === 200).length + refused.filter(({ retryAfter }) => retryAfter !== undefined).length;
  return [
    { name: 'results', ours: perSecond(overload), floor: peak, unit: '/s', target: atLeast(0.8), note: statuses(overload) },
    { name: 'result or Retry-After', ours: explained, floor: answers.length, unit: 'answers', target: atLeast(1) },
    { name: 'recovery', ours: recovery, floor: RECOVERY_MILLIS, unit: 'ms', target: atMost(1) },
  ];
}

/** Measures five times as many clients, and five times as many as there are slots; rejected clients retry after `Retry-After`. */
async function measurePatience(all: Target, query: string): Promise<readonly Row[]> {
  const peak = perSecond(await closedLoop(all, query, { clients: PEAK_CLIENTS, seconds: 5 }));
  const rows: Row[] = [];
  for (const clients of [OVERLOAD * PEAK_CLIENTS, OVERLOAD * PLACES]) {
    const load = await closedLoop(all, query, { clients, seconds: 12, isPatient: true });
    const note = `${statuses(load)}; p99 ${quantile(load, 0.99).toFixed(0)} ms`;
    rows.push({ name: `results of ${clients}`, ours: perSecond(load), floor: peak, unit: '/s', target: atLeast(0.8), note });
  }
  return rows;
}

/** Returns the time after an overload until queries are fast again: ten in a row, at most three times as slow as before. */
async function recoveryMillis(target: Target, query: string, calm: number): Promise<number> {
  const began = performance.now();
  let [quick, since] = [0, began];
  while (quick < 10 && performance.now() - began < 2 * RECOVERY_MILLIS) {
    const answer = await ask(target, query);
    if (quick === 0) since = performance.now() - answer.millis;
    quick = answer.status === 200 && answer.millis <= 3 * calm ? quick + 1 : 0;
  }
  return quick < 10 ? Number.POSITIVE_INFINITY : since - began;
}

/** Small queries of one caller at a fixed rate, without and with concurrent scans of another. */
async function measureMixture(scanner: Target, small: Target): Promise<readonly Row[]> {
  const asked = { rate: 50, seconds: 8 };
  const calm = await openLoop(small, SMALL, asked);
  const scans = closedLoop(scanner, SCAN, { clients: 4, seconds: asked.seconds + 1 });
  await sleep(1000);
  const beside = await openLoop(small, SMALL, asked);
  const scanned = await scans;
  const [before, after] = [quantile(calm, 0.99), quantile(beside, 0.99)];
  const note = `p50 ${quantile(beside, 0.5).toFixed(1)} ms beside ${quantile(calm, 0.5).toFixed(1)}; ${statuses(beside)}; scans ${statuses(scanned)}`;
  return [
    { name: 'p99', ours: after, floor: before, unit: 'ms', target: atMost(10), note },
    { name: 'p99, limit', ours: after, floor: 250, unit: 'ms', target: atMost(1) },
  ];
}

/** Measures fairness: one caller with 50 clients, another with four. */
async function measureFairness(many: Target, few: Target): Promise<readonly Row[]> {
  const seconds = 8;
  const measured = (await Promise.all([
    closedLoop(many, MEDIUM, { clients: 50, seconds }),
    closedLoop(few, MEDIUM, { clients: 4, seconds }),
  ])) as [Load, Load];
  const [greedy, modest] = measured;
  const flood = closedLoop(many, MEDIUM, { clients: 50, seconds: 7 });
  await sleep(1000);
  const small = await openLoop(few, SMALL, { rate: 20, seconds: 5 });
  await flood;
  return [
    {
      name: 'results of four clients beside those of 50',
      ours: perSecond(modest),
      floor: perSecond(greedy),
      unit: '/s',
      target: atLeast(0.8),
      note: `${statuses(modest)}; the 50: ${statuses(greedy)}`,
    },
    {
      name: "p99 of the other's small queries",
      ours: quantile(small, 0.99),
      floor: 250,
      unit: 'ms',
      target: atMost(1),
      note: statuses(small),
    },
  ];
}

/** Returns the longest stall of the executor's event loop, in milliseconds, since the last call. */
async function longestStall(): Promise<number> {
  const text = await (await fetch(stack.metricsUrl)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1] ?? Number.NaN) * 1000;
}
