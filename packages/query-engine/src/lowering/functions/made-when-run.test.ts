import { openQueryRunner, type QueryRunner } from '../../testing/query-runner.ts';
import { never, openTestEngine, type TestEngine } from '../../testing/with-engine.ts';

let runner: QueryRunner;
let engine: TestEngine;
beforeAll(async () => {
  [runner, engine] = await Promise.all([openQueryRunner({}), openTestEngine()]);
});
afterAll(async () => {
  await Promise.all([runner.close(), engine.close()]);
});

/** Well below the three seconds, and a gigabyte, that the engine takes to produce as many values at planning. */
const MOST_MILLIS = 500;

test.each([
  'SELECT COUNT(*) FROM RANGE(0, 10000000) x WHERE x % 7 = 3',
  'n := 5000000; SELECT COUNT(*) FROM RANGE(-n, n) x',
  'RANGE(0, 10 * 1000000)',
  'COUNT(SPLIT(REPLICATE(",", 10000000), ","))',
  'COUNT(SPLIT(LPAD("", 10000000, ","), ","))',
  'COUNT(TIMESTAMP_RANGE(TIMESTAMP "2010-01-01 00:00:00", TIMESTAMP "2025-01-01 00:00:00", INTERVAL "1 minute"))',
])('%s is made when it runs, where it can be interrupted and is counted, not while it is planned', async (text) => {
  const { sql } = runner.lower(text);
  const began = process.cpuUsage();
  await engine.withLease((lease) => lease.prepare(never, { sql, version: '1' }));
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1000).toBeLessThan(MOST_MILLIS);
});
