import { createSourceText } from '../text/source-text.ts';
import { mapChildren } from '../plan/map-children.ts';
import type { Plan } from '../plan/plan.ts';
import { parseProgram } from '../syntax/parse.ts';
import { checkProgram } from './check-program.ts';
import type { Stored } from './testing/plain-environment.ts';
import { checkPackageText, checkText, plainEnvironment, typeOrFaults } from './testing/plain-environment.ts';

const check = (text: string, packages: Readonly<Record<string, string>>, stored: Stored = {}) =>
  typeOrFaults(text, checkText(text, { ...stored, packages }));

const geo = `
  TYPE place := record(name: string, lat: double);
  PRIVATE TYPE hidden := int;
  home: place := (name: "Lyon", lat: 45.7);
  PRIVATE secret := 42;
  north(p: place, far: double := 1.0): place := (name: p.name, lat: p.lat + far + secret);
  PRIVATE inner(x: int) := x;
  twice(x: int) := x * 2;
  twice(x: string) := x + x;
  PRIVATE twice(x: bool) := x;
  north(home)`;

describe('imports', () => {
  test('public data, functions and types can be imported, under another name too', () => {
    expect(check('FROM geo IMPORT home; home.lat', { geo })).toBe('double');
    expect(check('FROM geo IMPORT home AS h, north; north(h, far := 2.0)', { geo })).toBe('record(name: string, lat: double)');
    expect(check('FROM geo IMPORT place AS spot; \\(p: spot) -> p.name', { geo })).toBe('(p: record(name: string, lat: double)) -> string');
    expect(check('FROM GEO IMPORT HOME; home', { geo })).toBe('record(name: string, lat: double)');
  });

  test('a private or unknown name is not declared, and said once at the name', () => {
    expect(check('FROM geo IMPORT secret; secret + 1', { geo })).toEqual(['1:17-1:23 secret is not declared']);
    expect(check('FROM geo IMPORT inner; inner(1)', { geo })).toEqual(['1:17-1:22 inner is not declared']);
    expect(check('FROM geo IMPORT hidden; \\(x: hidden) -> x', { geo })).toEqual(['1:17-1:23 hidden is not declared']);
    expect(check('FROM geo IMPORT hoem; hoem', { geo })).toEqual(['1:17-1:21 hoem is not declared, did you mean home?']);
  });

  test('a package that does not exist is said at its name', () => {
    expect(check('FROM goe IMPORT home; home', { geo })).toEqual(['1:6-1:9 package goe does not exist, did you mean geo?']);
    expect(check('IMPORT weather; weather.x', { geo })).toEqual(['1:8-1:15 package weather does not exist']);
  });

  test('overloads come together, the private ones not', () => {
    expect(check('FROM geo IMPORT twice; (twice(1), twice("a"))', { geo })).toBe('record(_1: int, _2: string)');
    expect(check('FROM geo IMPORT twice; twice(true)', { geo })).toEqual(['1:24-1:29 no function of this name takes (bool)']);
  });

  test('IMPORT binds the value of the final expression, or the record of public data', () => {
    expect(check('IMPORT geo; geo.lat', { geo })).toBe('double');
    expect(check('IMPORT consts AS c; c', { consts: 'a := 1; PRIVATE b := 2; f(x: int) := x; c := "x"; g := \\(x: int) -> x;' })).toBe(
      'record(a: int, c: string)',
    );
    expect(check('IMPORT nothing; nothing', { nothing: 'f(x: int) := x' })).toBe('record()');
  });

  test('a package whose value is a function can be called', () => {
    expect(check('IMPORT inc; inc(41)', { inc: 'step := 1; \\(x: int) -> x + step' })).toBe('int');
    expect(check('IMPORT make; f := make(2); f(3)', { make: '\\(n: int) -> \\(x: int) -> x * n' })).toBe('int');
  });

  test('functions can be handed to functions of a package', () => {
    expect(check('FROM p IMPORT apply; apply(\\(x: int) -> x + 1, 2)', { p: 'apply(f: (int) -> int, x: int) := f(x)' })).toBe('int');
  });

  test('names of the importing text are not seen in a package', () => {
    expect(check('mine := 1; FROM p IMPORT f; f(1)', { p: 'f(x: int) := x + mine' })).toEqual([
      '1:26-1:27 package p cannot be used: mine is not declared at 1:18',
    ]);
  });

  test('what is wrong in a package is one fault where it is imported, only where it is used', () => {
    const p = 'good := 1;\nbad := nothing_here;\nuses_bad(x: int) := x + bad';
    expect(check('FROM p IMPORT good; good', { p })).toBe('int');
    expect(check('FROM p IMPORT uses_bad AS u; u(1) + u(2)', { p })).toEqual([
      '1:15-1:23 package p cannot be used: nothing_here is not declared at 2:8',
    ]);
  });

  test('a package whose own import is gone says so', () => {
    expect(check('FROM p IMPORT x; x', { p: 'FROM base IMPORT y; x := y' })).toEqual([
      '1:6-1:7 package p cannot be used: package base does not exist at 1:6',
    ]);
  });

  test('packages that import one another are refused with the trail', () => {
    const packages = { a: 'FROM b IMPORT y; x := 1', b: 'FROM C IMPORT z; y := z', c: 'FROM a IMPORT x; z := x' };
    expect(check('FROM a IMPORT x; x', packages)).toEqual([
      '1:6-1:7 package a cannot be used: package b cannot be used: package c cannot be used: package a imports itself: package a → package b → package c → package a at 1:6',
    ]);
    const own = 'FROM b IMPORT y; x := y';
    expect(typeOrFaults(own, checkPackageText(own, { packages }, 'A'))).toEqual([
      expect.stringContaining('package a imports itself: package A → package b → package c → package a'),
    ]);
  });

  test('a view and a package that use one another are refused with the trail', () => {
    expect(check('v', { p: 'x := v' }, { views: { v: 'FROM p IMPORT x; x' } })).toEqual([
      expect.stringContaining('view v uses itself: view v → package p → view v'),
    ]);
  });

  test('functions of a package can be made of those of another', () => {
    const packages = {
      base: 'twice(x: int) := x * 2; add(n: int) := \\(x: int) -> x + n',
      p: 'FROM base IMPORT twice; f(x: int) := twice(x)',
    };
    expect(check('FROM p IMPORT f; f(1)', packages)).toBe('int');
    expect(check('FROM p IMPORT f; f("a")', packages)).toEqual(['1:20-1:23 expected int but got string']);
    const inner = { ...packages, p: 'FROM base IMPORT add; f(x: int) := add(2)(x)', q: 'FROM base IMPORT add; g(x: int) := add(x)' };
    expect(check('FROM p IMPORT f; FROM q IMPORT g; (f(1), g(3)(1))', inner)).toBe('record(_1: int, _2: int)');
    const broken = { base: 'bad(x: int) := x + gone', p: 'FROM base IMPORT bad; f(x: int) := bad(x)' };
    expect(check('FROM p IMPORT f; f(1) + f(2)', broken)).toEqual([
      '1:15-1:16 package p cannot be used: package base cannot be used: gone is not declared at 1:20',
    ]);
  });

  test('no place of a plan points into the texts of packages that use one another', () => {
    const base = `${' '.repeat(400)}div(x: int) := { y := 10 / x; y / 3 }; made(n: int) := \\(x: int) -> x / n`;
    const p = `${' '.repeat(200)}FROM base IMPORT div, made; f(x: int) := div(x) / made(2)(x)`;
    const text = 'FROM p IMPORT f; f(10 / 5)';
    const { plan } = checkText(text, { packages: { base, p } });
    const places = new Set<string>();
    const visit = (node: Plan): Plan => {
      places.add(text.slice(node.span.start, node.span.end));
      return mapChildren(node, visit);
    };
    if (plan !== null) visit(plan);
    expect([...places].toSorted()).toEqual(['10', '10 / 5', '5', 'f(10 / 5)']);
  });

  test('a package that cannot be read, or opened, is a fault at its name', () => {
    expect(check('FROM p IMPORT f; f(1)', { p: '1 +' })).toEqual([
      '1:6-1:7 package p cannot be used: found the end of the text, expected an expression at 1:4',
    ]);
    expect(check('FROM p IMPORT g; g', { p: 'f := 1; f := 2; g := 3' })).toEqual([
      '1:6-1:7 package p cannot be used: f is declared more than once at 1:1',
    ]);
    expect(check('FROM p IMPORT f; FROM P IMPORT g; f + g', { p: 'FROM q IMPORT nothing; f := 1; g := 2', q: 'a := 1' })).toEqual([
      '1:6-1:7 package p cannot be used: nothing is not declared at 1:15',
      '1:23-1:24 package p cannot be used: nothing is not declared at 1:15',
    ]);
  });

  test('packages may use one another 32 deep', () => {
    const packages = Object.fromEntries(
      Array.from({ length: 33 }, (_, i) => [`p${i}`, i === 0 ? 'x := 1' : `FROM p${i - 1} IMPORT x AS y; x := y`]),
    );
    expect(check('FROM p31 IMPORT x; x', packages)).toBe('int');
    expect(check('FROM p32 IMPORT x; x', packages)).toEqual([
      expect.stringMatching(/^1:6-1:9 package p32 cannot be used: .*package p1 cannot be used: nested more than 32 levels deep at 1:6$/),
    ]);
  });

  test('declarations of a package may need one another as long as they are written in order', () => {
    const x = Array.from({ length: 150 }, (_, i) => (i === 0 ? 'X0 := 1;' : `X${i} := x${i - 1} + 1;`)).join(' ');
    const f = Array.from({ length: 90 }, (_, i) => (i === 0 ? 'f0(x: int) := x;' : `f${i}(x: int) := f${i - 1}(x) + x149;`)).join(' ');
    expect(check('FROM p IMPORT x149, f60; f60(x149)', { p: `${x} ${f}` })).toBe('int');
    expect(check('IMPORT p; p', { p: `${x} x149` })).toBe('int');
  });

  test('back-ticks ask for the exact name of a package, and of what is imported', () => {
    expect(check('FROM `geo` IMPORT home; FROM Geo IMPORT north; north(home)', { geo })).toBe('record(name: string, lat: double)');
    expect(check('FROM `Geo` IMPORT home; home', { geo })).toEqual(['1:6-1:11 package Geo does not exist, did you mean geo?']);
    expect(check('FROM p IMPORT `X`; 1', { p: 'x := 1' })).toEqual(['1:15-1:18 X is not declared, did you mean x?']);
    expect(check('FROM p IMPORT x, X AS y; (x, y)', { p: 'x := 1; `X` := "a"' })).toBe('record(_1: int, _2: string)');
  });

  test('a type and data of one name are imported together, one alone is not the other', () => {
    expect(check('FROM p IMPORT t; \\(x: t) -> t', { p: 'TYPE t := int; t := "a"' })).toBe('(x: int) -> string');
    expect(check('FROM p IMPORT t; t', { p: 'TYPE t := int; a := 1;' })).toEqual(['1:18-1:19 t is not declared']);
    expect(check('FROM p IMPORT a; \\(x: a) -> 1', { p: 'a := 1; TYPE t := int;' })).toEqual(['1:23-1:24 a is not a type']);
  });

  test('each use of what is wrong in a package is told, also of what has a type', () => {
    const p = 'bad := gone; x: int := "a"; good := 1';
    expect(check('FROM p IMPORT bad; FROM p IMPORT bad AS worse; FROM p IMPORT good; (bad, worse, good)', { p })).toEqual([
      '1:15-1:18 package p cannot be used: gone is not declared at 1:8',
      '1:34-1:37 package p cannot be used: gone is not declared at 1:8',
    ]);
    expect(check('FROM p IMPORT x; x + 1', { p })).toEqual(['1:15-1:16 package p cannot be used: expected int but got string at 1:24']);
  });

  test('an imported function hides an aggregate of its name', () => {
    expect(check('FROM p IMPORT sum; SELECT SUM(id) FROM [(id: 1)]', { p: 'sum(x: int) := x + 1' })).toBe('collection(int)');
  });

  test('what is imported twice brings no echo', () => {
    expect(check('IMPORT p; IMPORT q AS p; p.x + P.y + "a" * 2', { p: '1', q: '2' })).toEqual([
      '1:8-1:9 1:23-1:24 p is declared more than once',
      '1:38-1:41 * needs a number but got string',
    ]);
  });

  test('functions of a package are values, and a private overload is not seen', () => {
    const p = 'f(x: int) := x + 1; g(x: int) := 1; g(x: string) := 2; PRIVATE g(x: bool) := 3';
    expect(check('FROM p IMPORT f; h := f; (h(1), TRANSFORM([1], f))', { p })).toBe('record(_1: int, _2: collection(int))');
    expect(check('FROM p IMPORT g; g(true)', { p })).toEqual(['1:18-1:19 no function of this name takes (bool)']);
  });

  test('a name that is imported and declared is one error with all places', () => {
    expect(check('FROM geo IMPORT home; home := 1; home', { geo })).toEqual(['1:17-1:21 1:23-1:27 home is declared more than once']);
    expect(check('FROM geo IMPORT home, twice AS Home; 1', { geo })).toEqual(['1:17-1:21 1:32-1:36 home is declared more than once']);
  });

  test('data of a package is evaluated once for all who import it', () => {
    const packages = { base: 'x := CSUM([1, 2])', p: 'FROM base IMPORT x; y := x + 1', q: 'FROM base IMPORT x; z := x + 2' };
    const { plan, diagnostics } = checkText('FROM p IMPORT y; FROM q IMPORT z; FROM base IMPORT x; (y, z, x)', { packages });
    expect(diagnostics).toEqual([]);
    let sums = 0;
    const visit = (node: Plan): Plan => {
      if (node.kind === 'Call' && node.function === 'CSUM') sums += 1;
      return mapChildren(node, visit);
    };
    if (plan !== null) visit(plan);
    expect(sums).toBe(1);
  });

  test('every variable of a plan is bound above its use', () => {
    const packages = { base: 'x := CSUM([1, 2])', p: 'FROM base IMPORT x; y := x + 1; f(a: int) := { b := a / 2; b + y }' };
    const text = 'FROM p IMPORT f; FROM base IMPORT x; SELECT f(r), w FROM [1, 2] r, v w WHERE r > x';
    const { plan, diagnostics } = checkText(text, { packages, views: { v: 'FROM p IMPORT y; d := y + 2; [d, d * 2]' } });
    expect(diagnostics).toEqual([]);
    if (plan === null) throw new Error('the query is right');
    expect(unboundIn(plan)).toEqual([]);
  });

  test('no place of a plan points into the text of a package, arguments keep theirs', () => {
    const text = 'FROM p IMPORT f; f(10 / (5 - 5))';
    const p = `${' '.repeat(300)}k := 10 / 3; f(a: int) := { b := a / k; b + 7 / b }`;
    const { plan } = checkText(text, { packages: { p } });
    if (plan === null) throw new Error('the query is right');
    const divisions: string[] = [];
    const visit = (node: Plan): Plan => {
      expect(node.span.end).toBeLessThanOrEqual(text.length);
      if (node.kind === 'Arithmetic' && node.operator === 'divide') {
        const { begin } = createSourceText(text).positionOf(node.span);
        divisions.push(`${begin.line}:${begin.column}`);
      }
      return mapChildren(node, visit);
    };
    visit(plan);
    expect(divisions.toSorted()).toEqual(['1:15', '1:18', '1:18', '1:20']);
  });

  test('a package that is not known yet is a need, and nothing else is said', () => {
    const { tree } = parseProgram('FROM p IMPORT f, T; \\(x: T) -> f(x)');
    if (tree === null) throw new Error('the query is right');
    const environment = { ...plainEnvironment({}), findPackage: () => undefined };
    const found = checkProgram(tree, environment, { arguments: null });
    expect(found.diagnostics).toEqual([]);
    expect(found.needs).toEqual([{ kind: 'package', key: 'package:p', name: 'p', isQuoted: false }]);
  });
});

/** Returns the variables used outside their binder. */
function unboundIn(plan: Plan, bound: ReadonlySet<number> = new Set()): readonly number[] {
  if (plan.kind === 'Variable') return bound.has(plan.id) ? [] : [plan.id];
  if (plan.kind === 'Let') return [...unboundIn(plan.value, bound), ...unboundIn(plan.body, new Set([...bound, plan.id]))];
  const inner = new Set(bound);
  if (plan.kind === 'Select') {
    inner.add(plan.itemVariable);
    for (const { row, position } of plan.sources) for (const id of [row, position]) if (id !== null) inner.add(id);
    for (const { id } of plan.grouping?.keys ?? []) inner.add(id);
  }
  if (plan.kind === 'Reduce') for (const id of [plan.accumulator, plan.element]) inner.add(id);
  const found: number[] = [];
  mapChildren(plan, (child) => {
    found.push(...unboundIn(child, inner));
    return child;
  });
  return found;
}
