import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { holdsGenerator } from './generators.ts';

const environment = environmentOf({ t: { type: 'record(a: int, s: string)', sql: '' } });

test.each([
  ['RANGE(0, 256)', false],
  ['RANGE(0, 257)', true],
  ['RANGE(0, 2560, 10)', false],
  ['RANGE(2560, 0, -10)', false],
  ['RANGE(0, a)', true],
  ['REPLICATE(s, 256)', false],
  ['REPLICATE(s, 257)', true],
  ['LPAD(s, 256, "x")', false],
  ['LPAD(s, a, "x")', true],
  ['RPAD(s, 257, "x")', true],
  ['TIMESTAMP_RANGE(TIMESTAMP "2020-01-01 00:00:00", TIMESTAMP "2020-01-02 00:00:00", INTERVAL "1 day")', true],
  ['UPPER(s)', false],
])('%s is a generator: %s', (value, expected) => {
  expect(holdsGenerator(planOf(`SELECT ${value} FROM t`, environment))).toBe(expected);
});
