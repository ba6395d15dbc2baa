import { printPlan } from '@svc/query-language';

import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { declareInTry } from './declare-in-try.ts';

const environment = environmentOf({ t: { type: 'record(a: int)', sql: '' } });

/** The declarations within each TRY of a program, from the outermost to the innermost. */
function declaredInTries(text: string): readonly (readonly string[])[] {
  const lines = printPlan(declareInTry(planOf(text, environment))).split('\n');
  const depth = (line: string): number => line.search(/\S/);
  return lines.flatMap((line, i) => {
    if (!/: Try /.test(line)) return [];
    const end = lines.findIndex((other, k) => k > i && depth(other) <= depth(line));
    const within = lines.slice(i + 1, end < 0 ? undefined : end);
    return [within.flatMap((inner) => /Let id=\d+ name="(\w+)"/.exec(inner)?.[1] ?? [])];
  });
}

test.each([
  ['a value that can fail', 'x := 1 / 0; (a: TRY(x + x), b: x)', [['x']]],
  ['a value of one that can fail', 'x := 1 / 0; y := (b: x); (a: TRY(y.b), b: y, c: x)', [['x', 'y']]],
  ['nothing that cannot fail', 'x := [1, 2]; (a: TRY(x[0] / 0), b: x)', [[]]],
  ['nothing of a query over a table', 'n := (SELECT SUM(a) FROM t); (a: TRY(1 / n), b: n)', [[]]],
  ['a value of each row', 'SELECT { x := 1 / a; (TRY(x + x), TRY(x * x), x) } FROM t', [['x'], ['x']]],
])('TRY declares %s', (_, text, declared) => {
  expect(declaredInTries(text)).toEqual(declared);
});
