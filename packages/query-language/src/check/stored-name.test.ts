import { mapChildren } from '../plan/map-children.ts';
import type { Plan } from '../plan/plan.ts';
import { parseProgram } from '../syntax/parse.ts';
import { checkProgram } from './check-program.ts';
import type { Stored } from './testing/plain-environment.ts';
import { checkText, plainEnvironment, typeOrFaults } from './testing/plain-environment.ts';

const check = (text: string, stored: Stored, view?: string) => typeOrFaults(text, checkText(text, stored, view));

function spansOf(plan: Plan): readonly string[] {
  const spans = [`${plan.span.start}-${plan.span.end}`];
  mapChildren(plan, (child) => {
    spans.push(...spansOf(child));
    return child;
  });
  return spans;
}

describe('views', () => {
  const people = 'SELECT 1 AS id, "Ann" AS name FROM [0]';

  test('a view is its query, and its name is found without regard to case', () => {
    expect(check('SELECT p.name FROM PEOPLE p', { views: { people } })).toBe('collection(string)');
    expect(check('SELECT p.name FROM `people` p', { views: { people } })).toBe('collection(string)');
    expect(check('SELECT p.name FROM `People` p', { views: { people } })).toEqual([
      '1:20-1:28 People is not declared, did you mean people?',
    ]);
  });

  test('a view has its own names: those of the query around are not seen in it, nor its own outside', () => {
    expect(check('mine := 1; v', { views: { v: 'mine + 1' } })).toEqual(['1:12-1:13 view v cannot be used: mine is not declared at 1:1']);
    expect(check('v + its', { views: { v: 'its := 1; its' } })).toEqual(['1:5-1:8 its is not declared']);
    expect(check('SELECT v FROM [1] row', { views: { v: 'row' } })).toEqual(['1:8-1:9 view v cannot be used: row is not declared at 1:1']);
  });

  test('what is wrong in a view is told wherever it is used, also where it was looked at before', () => {
    const views = { v: 'mine + 1' };
    expect(check('[v, v]', { views })).toEqual([
      '1:2-1:3 view v cannot be used: mine is not declared at 1:1',
      '1:5-1:6 view v cannot be used: mine is not declared at 1:1',
    ]);
    expect(check('f(x: int) := x; f(x: string) := 1; f(v)', { views })).toEqual([
      '1:38-1:39 view v cannot be used: mine is not declared at 1:1',
    ]);
  });

  test('a declaration hides a view, a view is found before a table is missed', () => {
    expect(check('v := "mine"; v', { views: { v: '1' } })).toBe('string');
    expect(check('t', { tables: { t: 'collection(int)' } })).toBe('collection(int)');
  });

  test('a view may be called like a function, which is meant only where nothing is stored', () => {
    expect(check('last', { views: { last: '1' } })).toBe('int');
    expect(check('LAST(x) + SUM(SELECT x FROM last x)', { views: { last: '[1]' } })).toEqual([
      expect.stringContaining('x is not declared'),
    ]);
    expect(check('last', { views: { last: 'gone' } })).toEqual(['1:1-1:5 view last cannot be used: gone is not declared at 1:1']);
    expect(check('last', { views: { last: '1' } }, 'last')).toEqual(['1:1-1:5 view last uses itself: view last → view last']);
    expect(check('TRANSFORM(["a"], UPPER)', {})).toBe('collection(string)');
  });

  test('what is wrong in a view is one fault at its name, with the cause and its place', () => {
    const views = { broken: 'SELECT a,\n  b FROM gone' };
    expect(check('SELECT *\nFROM broken', { views })).toEqual(['2:6-2:12 view broken cannot be used: gone is not declared at 2:10']);
    expect(check('many', { views: { many: 'x + y' } })).toEqual([
      '1:1-1:5 view many cannot be used: x is not declared at 1:1 (and 1 more)',
    ]);
    expect(check('odd', { views: { odd: '1 +' } })).toEqual([expect.stringMatching(/^1:1-1:4 view odd cannot be used: found .* at 1:4$/)]);
    expect(check('v', { views: { v: 'READ("gone:1")' } })).toEqual(['1:1-1:2 view v cannot be used: path not found: gone:1 at 1:1']);
  });

  test('a fault below views names each of them and its own place', () => {
    expect(check('a', { views: { a: 'b', b: '1 + c', c: 'nothing_here' } })).toEqual([
      '1:1-1:2 view a cannot be used: view b cannot be used: view c cannot be used: nothing_here is not declared at 1:1',
    ]);
  });

  test('a view that uses itself through others is refused, whichever is used', () => {
    const views = { a: 'b', b: 'C', c: 'a' };
    expect(check('b', { views })).toEqual([expect.stringContaining('view b uses itself: view b → view c → view a → view b')]);
    expect(check('c', { views }, 'A')).toEqual([expect.stringContaining('view a uses itself: view A → view c → view a')]);
    expect(check('self', { views: {} }, 'self')).toEqual(['1:1-1:5 self is not declared']);
    expect(check('self', { views: { self: '1' } }, 'self')).toEqual(['1:1-1:5 view self uses itself: view self → view self']);
  });

  test('a view that is used twice stands for itself each time', () => {
    const found = checkText('SELECT a.id FROM people a, people b WHERE a.id = b.id', { views: { people } });
    expect(found.diagnostics).toEqual([]);
    const rows: number[] = [];
    const visit = (plan: Plan): Plan => {
      if (plan.kind === 'Select') rows.push(...plan.sources.map(({ row }) => row));
      return mapChildren(plan, visit);
    };
    if (found.plan !== null) visit(found.plan);
    expect(new Set(rows).size).toBe(rows.length);
  });

  test('no place of a plan points into the text of a view', () => {
    const text = 'SELECT 1 / id FROM long_one';
    const views = { long_one: `${' '.repeat(200)}x := [1]; SELECT id, 10 / id AS t FROM (SELECT y AS id FROM x y)` };
    const { plan } = checkText(text, { views });
    if (plan === null) throw new Error('the query is right');
    expect(spansOf(plan).filter((span) => Number(span.split('-')[1]) > text.length)).toEqual([]);
  });

  test('a view keeps the type that it was stored with, or says what became of it', () => {
    const views = { v: 'SELECT n FROM t' };
    const tables = { t: 'collection(record(n: int))' };
    const stored = (type: string): Stored => ({ views, tables, viewTypes: { v: type } });
    expect(check('v', stored('collection(int)'))).toBe('collection(int)');
    expect(check('v', stored('collection(long nullable)'))).toBe('collection(long nullable)');
    expect(check('v', stored('collection(string)'))).toEqual([
      '1:1-1:2 view v was collection(string) when it was saved and is collection(int) now',
    ]);
  });

  test('a view cannot end in a function', () => {
    expect(check('\\(x: int) -> x', {}, 'v')).toEqual(['1:1-1:15 a view cannot end in a function']);
    expect(check('f', { views: { f: '\\(x: int) -> x' } })).toEqual([
      '1:1-1:2 view f cannot be used: a view cannot end in a function at 1:1',
    ]);
  });

  test('what a text uses itself is told, and not what its views use', () => {
    const stored = { views: { v: 't' }, tables: { t: 'collection(int)', u: 'collection(int)' }, packages: { p: 'x := v' } };
    expect(checkText('FROM p IMPORT x; (a: V, b: x, c: v, d: u)', stored).uses).toEqual([
      { kind: 'package', name: 'p' },
      { kind: 'view', name: 'v' },
      { kind: 'table', name: 'u' },
    ]);
  });

  test('a name that nothing has suggests views and tables', () => {
    expect(check('peolpe', { views: { people } })).toEqual(['1:1-1:7 peolpe is not declared, did you mean people?']);
  });

  test('views may use one another 32 deep', () => {
    const views = Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`v${i}`, i === 0 ? '1' : `v${i - 1}`]));
    expect(check('v31', { views })).toBe('int');
    expect(check('v32', { views })).toEqual([
      expect.stringMatching(/^1:1-1:4 view v32 cannot be used: .*view v1 cannot be used: nested more than 32 levels deep at 1:1$/),
    ]);
  });

  test('a view ends in an expression', () => {
    expect(check('v', { views: { v: 'x := 1;' } })).toEqual([
      '1:1-1:2 view v cannot be used: found the end of the text, expected an expression after the declarations at 1:8',
    ]);
  });

  test('a name that is not known yet is a need, and nothing else is said', () => {
    const { tree } = parseProgram('SELECT a.x, `B`.y + "z" FROM A a, `B` WHERE a.x = 1');
    if (tree === null) throw new Error('the query is right');
    const found = checkProgram(tree, { ...plainEnvironment({}), findName: () => undefined }, { arguments: null });
    expect(found.diagnostics).toEqual([]);
    expect(found.needs).toEqual([
      { kind: 'name', key: 'name:a', name: 'A', isQuoted: false },
      { kind: 'name', key: 'name:`B`', name: 'B', isQuoted: true },
    ]);
  });

  test('views that double each other are refused, not followed', () => {
    const views = Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`v${i}`, i === 0 ? '[1]' : `v${i - 1} ++ v${i - 1}`]));
    expect(check('v30', { views })).toEqual([expect.stringContaining('the program is too large')]);
  });
});
