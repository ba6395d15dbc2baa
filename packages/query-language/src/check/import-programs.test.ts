import { checkText, typeOrFaults } from './testing/plain-environment.ts';

/** Diagnostics of imports and of transform functions, program by program. */
const PACKAGES: Readonly<Record<string, string>> = {
  geo: 'TYPE place := record(name: string, lat: double);\nPRIVATE TYPE hidden := int;\nhome: place := (name: "Lyon", lat: 45.7);\nPRIVATE secret := 42;\nnorth(p: place, far: double := 1.0): place := (name: p.name, lat: p.lat + far + secret);\ntwice(x: int) := x * 2;\ntwice(x: string) := x + x;\nhome',
  decls: 'a := 1; b: string nullable := NULL; PRIVATE c := 3; f(x: int) := x + c',
  empty: 'PRIVATE x := 1',
  val: '1 + 1',
  fn: '\\(x: int, y: int := 2) -> x + y',
  sel: 'SELECT x FROM [1, 2] x',
  bad: 'a := 1 +',
  wrong: 'a := 1 + true; a',
  self: 'IMPORT self; 1',
  p1: 'IMPORT p2; x := p2',
  p2: 'IMPORT p1; y := p1',
  re: 'FROM geo IMPORT twice; quad(x: int) := twice(twice(x))',
  chain: 'FROM re IMPORT quad; quad(1)',
  gen: 'map(c: collection(int), f: (int) -> int) := TRANSFORM(c, f)',
  tre: 'TYPE t := collection(record(a: int)); v: t := [(a: 1)]; PRIVATE TYPE u := int; w: u := 1',
};

/** Parameters of a transform, with nullable key and value, and without. */
const MESSAGE =
  'key: binary nullable, value: binary nullable, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int';
const FULL_MESSAGE = MESSAGE.replaceAll(' nullable', '');

const check = (text: string) => typeOrFaults(text, checkText(text, { packages: PACKAGES }));

test.each([
  ['IMPORT val; val', 'int'],
  ['IMPORT val AS v; v + 0.5', 'double'],
  ['IMPORT VAL; val', 'int'],
  ['IMPORT val; VAL', 'int'],
  ['IMPORT decls; decls', 'record(a: int, b: string nullable)'],
  ['IMPORT decls; decls.a', 'int'],
  ['IMPORT empty; empty', 'record()'],
  ['IMPORT fn; fn(1)', 'int'],
  ['IMPORT fn; fn(1, y := 5)', 'int'],
  ['IMPORT fn; fn', '(x: int, y: int) -> int'],
  ['IMPORT sel; sel', 'collection(int)'],
  ['IMPORT sel; SELECT s + 1 FROM sel s', 'collection(int)'],
  ['IMPORT sel; SUM(sel)', 'long nullable'],
  ['FROM geo IMPORT home, north; north(home).lat', 'double'],
  ['FROM geo IMPORT twice AS d; (d(1), d("a"))', 'record(_1: int, _2: string)'],
  ['FROM geo IMPORT place; x: place := (name: "a", lat: 1.0); x', 'record(name: string, lat: double)'],
  ['FROM decls IMPORT b; ISNULL(b, "x")', 'string'],
  ['FROM re IMPORT quad; quad(1)', 'int'],
  ['IMPORT chain; chain', 'int'],
  ['FROM gen IMPORT map; map([1], \\(x) -> x + 1)', 'collection(int)'],
  ['FROM tre IMPORT t; \\(x: t) -> LEN(x)', '(x: collection(record(a: int))) -> int'],
  ['FROM tre IMPORT w; w', 'int'],
  ['FROM tre IMPORT v; v[0].a', 'int nullable'],
  ['x := 1; IMPORT val; x', 'int'],
  ['IMPORT `val`; val', 'int'],
  ['IMPORT val AS `a b`; `a b`', 'int'],
  ['IMPORT geo; geo.name', 'string'],
  ['FROM geo IMPORT north; north', '(p: record(name: string, lat: double), far: double) -> record(name: string, lat: double)'],
  ['FROM geo IMPORT north; SELECT north(x).lat FROM [(name: "a", lat: 1.0)] x', 'collection(double)'],
  ['FROM geo IMPORT north; north((name: "a", lat: 1.0), 2)', 'record(name: string, lat: double)'],
  ['FROM geo IMPORT twice; SELECT twice FROM [(twice: "field")] r', 'collection(string)'],
  [
    `\\(${MESSAGE}) -> PARSE_JSON(DECODE(value) AS record(id: long, name: string))`,
    `(${MESSAGE}) -> record(id: long, name: string) nullable`,
  ],
  [
    `\\(${FULL_MESSAGE}) -> PARSE_JSON(DECODE(value) AS record(id: long, name: string))`,
    `(${FULL_MESSAGE}) -> record(id: long, name: string)`,
  ],
  [
    `\\(${FULL_MESSAGE}) -> PARSE_JSON(DECODE(value) AS record(id: long, name: string)) ++ (seen: timestamp)`,
    `(${FULL_MESSAGE}) -> record(id: long, name: string, seen: timestamp)`,
  ],
  [
    `\\(${MESSAGE}) -> PARSE_JSON(DECODE(value) AS record(id: long, name: string)) ++ (seen: timestamp)`,
    `(${MESSAGE}) -> record(id: long, name: string, seen: timestamp) nullable`,
  ],
  [`\\(${MESSAGE}) -> IF topic = "x" THEN NULL ELSE (a: offset)`, `(${MESSAGE}) -> record(a: long) nullable`],
  [`\\(${MESSAGE}) -> (k: DECODE(key), v: DECODE(value))`, `(${MESSAGE}) -> record(k: string nullable, v: string nullable)`],
  [
    `\\(${MESSAGE}) -> TRY(PARSE_JSON(DECODE(value) AS record(id: long, name: string)))`,
    `(${MESSAGE}) -> record(id: long, name: string) nullable`,
  ],
  [
    `\\(${MESSAGE}) -> (at: timestamp - interval "1 hour", p: partitionNo + 1, t: timestampType)`,
    `(${MESSAGE}) -> record(at: timestamp, p: int, t: int)`,
  ],
  [`\\(${MESSAGE}) -> (d: FORMAT(timestamp, "yyyy"), date: date "2001-01-01")`, `(${MESSAGE}) -> record(d: string, date: date)`],
  [`\\(${MESSAGE}) -> offset`, `(${MESSAGE}) -> long`],
  [
    `\\(${MESSAGE}) -> (a: HEX(key), b: LEN(value), c: BASE64(value))`,
    `(${MESSAGE}) -> record(a: string nullable, b: int nullable, c: string nullable)`,
  ],
  [`FROM geo IMPORT twice; \\(${MESSAGE}) -> (a: twice(topic), b: twice(partitionNo))`, `(${MESSAGE}) -> record(a: string, b: int)`],
])('%s is %s', (text, type) => {
  expect(check(text)).toBe(type);
});

test.each([
  ['IMPORT decls; decls.c', ['1:21-1:22 c is not a field of record(a: int, b: string nullable)']],
  ['IMPORT decls; decls.f(1)', ['1:21-1:22 f is not a field of record(a: int, b: string nullable)']],
  ['IMPORT fn; fn()', ['1:12-1:14 expected 1 to 2 arguments but got 0']],
  ['IMPORT fn; fn(1, z := 5)', ['1:12-1:14 unknown argument: z']],
  ['IMPORT fn; fn("a")', ['1:15-1:18 expected int but got string']],
  ['IMPORT fn; fn(1,2,3)', ['1:12-1:14 expected 1 to 2 arguments but got 3']],
  ['FROM geo IMPORT home AS h; home', ['1:28-1:32 home is not declared']],
  ['FROM geo IMPORT home, home; home', ['1:17-1:21 1:23-1:27 home is declared more than once']],
  ['FROM geo IMPORT home; home := 1; home', ['1:17-1:21 1:23-1:27 home is declared more than once']],
  ['FROM geo IMPORT twice; twice(x: bool) := x; twice(true)', ['1:17-1:22 1:24-1:29 twice is declared more than once']],
  ['FROM geo IMPORT twice; twice(x: int) := x; twice(1)', ['1:17-1:22 1:24-1:29 twice is declared more than once']],
  ['FROM geo IMPORT twice; twice(NULL)', ['1:24-1:29 more than one function of this name fits']],
  [
    'FROM geo IMPORT place; x: place := (name: "a"); x',
    ['1:36-1:47 expected record(name: string, lat: double) but got record(name: string)'],
  ],
  ['FROM geo IMPORT hidden; 1', ['1:17-1:23 hidden is not declared']],
  ['FROM geo IMPORT secret AS s; s', ['1:17-1:23 secret is not declared']],
  ['FROM geo IMPORT nope, secret; 1', ['1:17-1:21 nope is not declared', '1:23-1:29 secret is not declared']],
  ['FROM nope IMPORT x; x', ['1:6-1:10 package nope does not exist']],
  ['FROM nope IMPORT x, y; x + y', ['1:6-1:10 package nope does not exist']],
  ['IMPORT nope; nope', ['1:8-1:12 package nope does not exist']],
  ['FROM decls IMPORT a; a := 2; a', ['1:19-1:20 1:22-1:23 a is declared more than once']],
  ['FROM re IMPORT twice; twice(1)', ['1:16-1:21 twice is not declared']],
  ['IMPORT self; self', ['1:8-1:12 package self cannot be used: package self imports itself: package self → package self at 1:8']],
  [
    'IMPORT p1; p1',
    [
      '1:8-1:10 package p1 cannot be used: package p2 cannot be used: package p1 imports itself: package p1 → package p2 → package p1 at 1:8',
    ],
  ],
  ['IMPORT bad; bad', ['1:8-1:11 package bad cannot be used: found the end of the text, expected an expression at 1:9']],
  ['IMPORT wrong; wrong', ['1:8-1:13 package wrong cannot be used: + needs a number but got bool at 1:10']],
  ['FROM gen IMPORT map; map([1], \\(x: string) -> x)', ['1:31-1:48 expected (int) -> int but got (x: string) -> string']],
  ['FROM tre IMPORT u; 1', ['1:17-1:18 u is not declared']],
  ['FROM val IMPORT x; x', ['1:17-1:18 x is not declared']],
  ['IMPORT geo; geo(1)', ['1:13-1:16 function expected but got record(name: string, lat: double)']],
  ['FROM geo IMPORT home; home(1)', ['1:23-1:27 function expected but got record(name: string, lat: double)']],
  ['FROM geo IMPORT north; [north]', ['1:25-1:30 a function cannot be part of data']],
  [`f(${MESSAGE}) := (topic: topic, n: offset)`, ['1:166-1:166 found the end of the text, expected an expression after the declarations']],
  ['\\(key: binary) -> (k: key ++ 1)', ['1:23-1:26 1:30-1:31 incompatible types: binary and int']],
])('%s is refused', (text, faults) => {
  expect(check(text)).toEqual(faults);
});
