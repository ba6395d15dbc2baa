import { sqlText } from '../sql/print-sql.ts';
import { castTo, textLiteral, tryCastTo, verbatim } from '../sql/sql.ts';
import { openSqlEvaluator, type SqlEvaluator } from '../testing/evaluate-sql.ts';
import { decimalOfText } from './number-text.ts';

let engine: SqlEvaluator;
beforeAll(async () => {
  engine = await openSqlEvaluator();
});
afterAll(() => engine.close());

const SIGNS = ['', '-', '+'];
const WHOLE = ['', '0', '00012', '999999', '1234567', '999999999999', '1234567890123', '99999999999999999999', '100000000000000000000'];
const FRACTIONS = [
  '',
  '.',
  '.0',
  '.5',
  '.999999',
  '.9999995',
  '.123456789012',
  '.1234567890125',
  '.000000000000000001',
  '.120000000000000000',
  '.12000000000000000000000000',
];
const AROUND = [
  ['', ''],
  [' ', '\t'],
  ['\n', ' '],
  ['\v', ''],
  ['\u00a0', ''],
  ['', 'e-3'],
  ['', 'E2'],
  ['', '_0'],
  ['x', ''],
] as const;

const TEXTS = SIGNS.flatMap((sign) =>
  WHOLE.flatMap((whole) => FRACTIONS.flatMap((fraction) => AROUND.map(([start, end]) => `${start}${sign}${whole}${fraction}${end}`))),
);

test(`${TEXTS.length} texts are the decimals, or none, that the engine's own cast makes of them`, async () => {
  const own = 'TRY_CAST(s AS DECIMAL(38,18))';
  const ours = sqlText(decimalOfText(verbatim('s'), tryCastTo));
  const rows = `(SELECT s, ${ours} AS x, ${own} AS y FROM (SELECT unnest([${TEXTS.map((text) => sqlText(textLiteral(text))).join(', ')}]) AS s))`;
  expect(await engine.evaluate(`(SELECT list(s) FROM ${rows} WHERE x IS DISTINCT FROM y)`)).toBe('NULL');
  expect(Number(await engine.evaluate(`(SELECT count(y) FROM ${rows})`))).toBeGreaterThan(TEXTS.length / 3);
});

test.each(['999999999999999999999', '1.5x', ''])('%p fails as the cast that converts what is not short', async (text) => {
  const failing = sqlText(decimalOfText(textLiteral(text), castTo));
  expect(await engine.evaluate(failing)).toMatch(/^! /);
});
