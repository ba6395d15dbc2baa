import { parseProgram } from '../syntax/parse.ts';
import { printType } from '../types/print.ts';
import { checkProgram } from './check-program.ts';
import type { CheckResult } from './check-program.ts';
import type { CheckEnvironment } from './environment.ts';

const NOTHING: CheckEnvironment = {
  findRead: () => undefined,
  findName: () => ({ kind: 'nothing', candidates: [] }),
  findPackage: () => ({ kind: 'nothing', candidates: [] }),
  inferText: () => ({ problem: 'no text is looked at here' }),
};

function check(text: string): CheckResult {
  const { tree } = parseProgram(text);
  if (tree === null) throw new Error('the program has errors of syntax');
  return checkProgram(tree, NOTHING, { arguments: null });
}

const chain = (count: number, line: (i: number) => string): string => Array.from({ length: count }, (_, i) => line(i)).join('\n');

describe('declarations', () => {
  test('a thousand of them may each use the one before', () => {
    const found = check(`${chain(1000, (i) => `v${i} := ${i === 0 ? '1' : `v${i - 1} + 1`};`)}\nf(x: int) := x + v999;\nf(1)`);
    expect(found.diagnostics).toEqual([]);
    expect(found.type === null ? null : printType(found.type)).toBe('int');
  });

  test('a thousand that each wait for the next one are refused, not followed', () => {
    const found = check(`${chain(1000, (i) => `v${i} := v${i + 1} + 1;`)}\nv1000 := 1;\nv0`);
    expect(new Set(found.diagnostics.map((diagnostic) => diagnostic.message))).toEqual(new Set(['nested more than 100 levels deep']));
  });

  test('a thousand functions that each call the one before are refused, not followed', () => {
    const found = check(`${chain(1000, (i) => `f${i}(x: int) := ${i === 0 ? 'x' : `f${i - 1}(x)`};`)}\nf999(1)`);
    expect(found.diagnostics[0]?.message).toBe('nested more than 100 levels deep');
  });

  test('one that is used before it is written has its value', () => {
    expect(check('a := b + 1; b := 2; a').diagnostics).toEqual([]);
  });

  test('what is wrong with one that is first met in a trial is still said, once', () => {
    const found = check('x := (SELECT i FROM [1] i LIMIT y); y := zz; w := y; x');
    expect(found.diagnostics.map(({ message }) => message)).toEqual(['zz is not declared']);
  });
});
