import { openQueryRunner, type QueryRunner } from '../testing/query-runner.ts';
import { ENGINE_TABLES } from '../testing/random-tables.ts';

let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner(ENGINE_TABLES);
});
afterAll(() => runner.close());

const CAST = 'CAST(k.k AS int) = 1';

test.each([
  ['first', (inner: string, i: number): string => `((${inner}) IS NOT DISTINCT FROM (k.n = ${i})) AND ${CAST}`],
  ['later', (inner: string, i: number): string => `k.n = ${i} OR CAST(k.k AS int) = (CASE WHEN ${inner} THEN 1 ELSE 2 END)`],
])('the SQL of AND and OR that can fail grows with their nesting, and no faster: in the %s operand', (_, around) => {
  const sizeAt = (levels: number): number => {
    const condition = Array.from({ length: levels }).reduce<string>((inner, _level, i) => around(inner, i), CAST);
    return runner.lower(`SELECT ${condition} AS a FROM o`).sql.length;
  };
  expect(sizeAt(14) - sizeAt(8)).toBeLessThan(1.5 * (sizeAt(8) - sizeAt(2)));
});
