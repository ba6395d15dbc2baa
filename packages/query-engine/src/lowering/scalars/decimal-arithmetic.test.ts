import { sqlText } from '../../sql/print-sql.ts';
import { SQL, verbatim } from '../../sql/sql.ts';
import { openSqlEvaluator, type SqlEvaluator } from '../../testing/evaluate-sql.ts';
import { divideDecimals } from './decimal-arithmetic.ts';

let engine: SqlEvaluator;
beforeAll(async () => {
  engine = await openSqlEvaluator();
});
afterAll(() => engine.close());

/** The decimal with these digits. */
function decimalText(digits: bigint, scale: number): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  return `${digits < 0n ? '-' : ''}${text.slice(0, text.length - scale)}${scale === 0 ? '' : `.${text.slice(-scale)}`}`;
}

/** round(a / b) with 18 digits after the point, halves away from zero. */
function quotient(a: bigint, aScale: number, b: bigint, bScale: number): string {
  const magnitude = (x: bigint): bigint => (x < 0n ? -x : x);
  const n = magnitude(a) * 10n ** BigInt(18 + bScale);
  const d = magnitude(b) * 10n ** BigInt(aScale);
  const digits = (2n * n + d) / (2n * d);
  return decimalText(a < 0n !== b < 0n ? -digits : digits, 18);
}

/** Numbers of every length beside its bounds, and some within. */
function operands(scale: number, seed: number): bigint[] {
  const found: bigint[] = [];
  let state = BigInt(seed);
  for (let length = 0; length <= 18 + scale; length += 1) {
    const bound = 10n ** BigInt(length);
    state = (state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
    const within = (state * (bound || 1n)) / 2n ** 64n;
    found.push(bound - 1n, bound, bound + 1n, within, -within, -bound, within - (within % 10n ** BigInt(Math.max(0, scale - 4))));
  }
  return found.filter((value) => value !== 0n);
}

describe('quotients of decimals have all digits', () => {
  it.each([
    [0, 0],
    [2, 0],
    [0, 2],
    [2, 2],
    [3, 7],
    [9, 9],
    [9, 0],
    [0, 9],
    [2, 18],
    [18, 2],
    [18, 0],
    [12, 4],
    [18, 18],
  ])('of scale %i by scale %i', async (aScale, bScale) => {
    const dividends = operands(aScale, 7);
    const divisors = operands(bScale, 11);
    // Each divisor with a few dividends, those of both least and greatest length included.
    const pairs = divisors.flatMap((b, i) =>
      [0, 1, 2, 3, 4, 5, 6].map((k) => [dividends[(i * 5 + k * 23) % dividends.length] ?? 1n, b] as const),
    );
    const fitting = pairs.map(([a, b]) => [a, b, quotient(a, aScale, b, bScale)] as const).filter(([, , text]) => text.length <= 38);
    expect(fitting.length).toBeGreaterThan(pairs.length / 2);
    const rows = fitting.map(
      ([a, b], i) =>
        `(${i}, CAST('${decimalText(a, aScale)}' AS DECIMAL(38,${aScale})), CAST('${decimalText(b, bScale)}' AS DECIMAL(38,${bScale})))`,
    );
    const divided = divideDecimals(
      { sql: verbatim('a'), scale: aScale },
      { sql: verbatim('b'), scale: bScale },
      { overflow: SQL`error('overflow')`, byZero: SQL`error('zero')` },
    );
    const sql = `(SELECT string_agg(CAST(${sqlText(divided)} AS VARCHAR), ' ' ORDER BY i) FROM (VALUES ${rows.join(', ')}) v(i, a, b))`;
    expect((await engine.evaluate(sql)).split(' ')).toEqual(fitting.map(([, , text]) => text));
  });
});
