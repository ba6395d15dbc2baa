import { parseType } from '../types/parse.ts';
import { printType } from '../types/types.ts';
import type { Stored } from './testing/plain-environment.ts';
import { checkPackageText, checkText, typeOrFaults } from './testing/plain-environment.ts';

const check = (text: string, stored: Stored = {}) => typeOrFaults(text, checkPackageText(text, stored));

describe('packages', () => {
  test('the type of a package is that of its final expression, or the record of its public data', () => {
    expect(check('x := 1; x + 1L')).toBe('long');
    expect(check('x := 1; PRIVATE y := 2; f(a: int) := a; z: long := 3;')).toBe('record(x: int, z: long)');
    expect(check('f(a: int) := a')).toBe('record()');
    expect(check('\\(a: int) -> a')).toBe('(a: int) -> int');
  });

  test('all of it is checked', () => {
    expect(check('x := one; PRIVATE f(n: int) := n + two; 1')).toEqual(['1:6-1:9 one is not declared', '1:36-1:39 two is not declared']);
  });

  test('its public functions are described', () => {
    const text = `
      TYPE p := record(a: int);
      @get("/items/{ID}", scopes := ["items:read"], summary := "One item", visibility := "public", format := "json")
      item(id: int, limit: int := 10, since: date := date "2020-01-01", q: string nullable := NULL) := [id];
      @post("/items") @put("/items")
      add(body: p, note: string := "x") := body.a;
      PRIVATE hidden(x: int) := x;
      plain(x: any) := x;`;
    const { functions, diagnostics, uses } = checkPackageText(text);
    expect(diagnostics).toEqual([]);
    expect(uses).toEqual([]);
    const shown = functions.map(({ name, parameters, result }) => ({
      name,
      parameters: parameters.map((one) => [one.name, printType(one.type), one.isOptional, one.defaultValue]),
      result: printType(result),
    }));
    expect(shown).toEqual([
      {
        name: 'item',
        result: 'collection(int)',
        parameters: [
          ['id', 'int', false, undefined],
          ['limit', 'int', true, 10],
          ['since', 'date', true, '2020-01-01'],
          ['q', 'string nullable', true, null],
        ],
      },
      {
        name: 'add',
        result: 'int',
        parameters: [
          ['body', 'record(a: int)', false, undefined],
          ['note', 'string', true, 'x'],
        ],
      },
      { name: 'plain', result: 'any', parameters: [['x', 'any', false, undefined]] },
    ]);
    expect(functions[0]?.endpoints).toEqual([
      {
        method: 'get',
        path: '/items/{id}',
        pathParameters: ['id'],
        bodyParameter: null,
        scopes: ['items:read'],
        visibility: 'public',
        format: 'json',
        summary: 'One item',
        description: null,
      },
    ]);
    expect(functions[1]?.endpoints.map(({ method, path, bodyParameter, visibility }) => [method, path, bodyParameter, visibility])).toEqual(
      [
        ['post', '/items', 'body', 'private'],
        ['put', '/items', 'body', 'private'],
      ],
    );
  });

  test.each([
    ['@fetch("/x") f(a: int) := a', '1:2-1:7 @fetch is not an annotation, expected one of @get, @post, @put, @patch, @delete'],
    ['@get("/x") PRIVATE f(a: int) := a', '1:2-1:5 @get may stand only before a public function of a package'],
    ['@get("/x") f := 1', '1:2-1:5 @get may stand only before a public function of a package'],
    ['@get() f(a: int) := a', '1:2-1:5 missing mandatory arguments: path'],
    ['@get("x") f(a: int) := a', '1:6-1:9 the path of an endpoint must start with /'],
    ['@get(1) f(a: int) := a', '1:6-1:7 the path of an endpoint must be a constant text'],
    ['@get(UPPER("/a")) f(a: int) := a', '1:6-1:17 the path of an endpoint must be a constant text'],
    ['@get(path := "/a") f(a: int) := a', '1:2-1:5 missing mandatory arguments: path'],
    ['@delete("/x") f(body: collection(int)) := 1', '1:2-1:8 parameter body of an endpoint is a request body, and @delete has none'],
    ['@get("/x", summary := UPPER("a")) f(a: int) := a', '1:23-1:33 option summary must be constant'],
    ['@get("/x", scopes := [""]) f(a: int) := a', '1:22-1:26 option scopes must be a collection of names but got [""]'],
    ['@get("/x", scopes := [1]) f(a: int) := a', '1:22-1:25 option scopes must be a collection of names but got [1]'],
    ['@get("/x", scopes := "a") f(a: int) := a', '1:22-1:25 option scopes must be a collection of names but got "a"'],
    ['@get("/x", summary := 1) f(a: int) := a', '1:23-1:24 option summary must be a text but got 1'],
    ['@get("/x", description := 1) f(a: int) := a', '1:27-1:28 option description must be a text but got 1'],
    [
      '@get("/x", format := "xml") f(a: int) := a',
      '1:22-1:27 option format must be one of json, hjson, csv, sqlite, parquet-avro, parquet-raw but got "xml"',
    ],
    [
      '@get("/x", 1) f(a: int) := a',
      '1:12-1:13 unknown option: without a name, expected one of scopes, visibility, format, summary, description',
    ],
    [
      '@get("/x?y") f(a: int) := a',
      "1:6-1:12 the path of an endpoint may hold letters, digits, -._~!$&'()*+,;=:@ and {name} between slashes",
    ],
    ['@get(zz) f(a: int) := a', '1:6-1:8 zz is not declared'],
    ['@get("/x", summary := zz) f(a: int) := a', '1:23-1:25 zz is not declared'],
    ['@get("/x", Visibility := "PUBLIC") f(a: int) := a', '1:26-1:34 option visibility must be "public" or "private" but got "PUBLIC"'],
    ['@get("/x/y{") f(a: int) := a', expect.stringContaining('1:6-1:13 the path of an endpoint may hold letters')],
    ['@get("/x", sumary := "a") f(a: int) := a', expect.stringContaining('unknown option: sumary, did you mean summary?')],
    ['@get("/x", constructor := "a") f(a: int) := a', expect.stringContaining('unknown option: constructor, expected one of')],
    ['@get("/x/{b}") f(a: int) := a', '1:6-1:14 the path of an endpoint names b, which is no parameter of the function'],
    ['@get("/{a}/{a}") f(a: int) := a', '1:6-1:16 the path of an endpoint names a more than once'],
    ['@get("/{a}") f(a: collection(int)) := a', '1:16-1:34 parameter a of an endpoint stands in the path and cannot be collection(int)'],
    ['@get("/x") f(body: record(a: int)) := 1', '1:2-1:5 parameter body of an endpoint is a request body, and @get has none'],
    ['@get("/x") f(g: (int) -> int) := g(1)', '1:14-1:29 parameter g of an endpoint cannot be a function'],
    ['@get("/x") f(a: int) := \\(b: int) -> b', '1:2-1:5 an endpoint cannot answer (b: int) -> int'],
    ['@get("/x", visibility := "all") f(a: int) := a', '1:26-1:31 option visibility must be "public" or "private" but got "all"'],
    [
      '@get("/x/{a}") f(a: int) := a; @get("/x/{b}") g(b: int) := b',
      '1:1-1:15 1:32-1:46 the package has more than one endpoint GET /x/{a}',
    ],
  ])('an endpoint that does not fit is a fault: %s', (text, fault) => {
    expect(check(text)).toEqual([fault]);
  });

  test('a READ that hangs on a parameter needs its type', () => {
    expect(check('f(name: string) := READ("file:" + name)')).toEqual([expect.stringContaining('1:20-1:40 the type must be given with AS')]);
    expect(check('f(name: string) := READ("file:" + name AS collection(int))')).toBe('record()');
  });

  test('what hangs on a parameter of a function that only the package itself calls is known there', () => {
    expect(check('PRIVATE f(r: regex) := ["ab"] PARSE AS r; g() := f(r"a.")')).toBe('record()');
    expect(check('PRIVATE f(n: string) := READ("collection(" + n + ")"); g() := f("int")')).toBe('record()');
  });

  test('a default that is not constant is not described', () => {
    const text =
      'f(a: int := 1 + 1, e: int := 2, g: (int) -> int := \\(x) -> x, b: double := RANDOM(), c: string := "a" || "b", d: int := a0) := 1; a0 := 7';
    const { functions } = checkPackageText(text);
    expect(functions.map(({ parameters }) => parameters.map(({ name, defaultValue }) => [name, defaultValue]))).toEqual([
      [
        ['a', undefined],
        ['e', 2],
        ['g', undefined],
        ['b', undefined],
        ['c', 'ab'],
        ['d', 7],
      ],
    ]);
  });

  test('a short text cannot make a type without end', () => {
    const types = Array.from({ length: 40 }, (_, i) => `TYPE t${i + 1} := record(a: t${i}, b: t${i});`).join('\n');
    const values = Array.from({ length: 40 }, (_, i) => `v${i + 1} := (a: v${i}, b: v${i});`).join('\n');
    const tooLarge = expect.stringContaining('the program is too large: a type in it has more than 20000 parts');
    expect(check(`TYPE t0 := int;\n${types}\n@get("/x") f(body: collection(t40)) := 1;`)).toEqual([tooLarge]);
    expect(check(`v0 := 1;\n${values}\nf() := v40;`)).toEqual([tooLarge]);
    expect(typeOrFaults('1', checkText(`v0 := 1;\n${values}\n[v40]`))).toEqual([tooLarge]);
    const record = `record(${Array.from({ length: 2000 }, (_, i) => `a${i}: int`).join(', ')})`;
    const wide = `record(${Array.from({ length: 11 }, (_, i) => `b${i}: ${record}`).join(', ')})`;
    expect(parseType(wide)).toEqual({ diagnostics: [expect.objectContaining({ code: 'type-too-large' })] });
    expect(typeOrFaults('1', checkText('p', { views: { p: `v0 := 1;\n${values}\n[v40]` } }))).toEqual([tooLarge]);
  });
});
