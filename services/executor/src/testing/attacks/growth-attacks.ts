import type { Attack } from './attack.ts';

/** A text of 10 MB that rows share. */
const SHARED = 'a := REPLICATE("x", 10000000);';
const TIMES_EIGHT = 'f := \\(s: string) -> s || s || s || s || s || s || s || s;';

/** It is rejected before it is built, or it exceeds the engine's memory. */
const TOO_LONG = /would make more than|needs more memory/;

/** Values that grow during evaluation. */
export const GROWING: readonly Attack[] = [
  {
    what: 'a collection of 100,000 numbers for each of 400 rows',
    query: 'SELECT SUM(s) FROM (SELECT (SELECT SUM(y) FROM RANGE(0, 100000 - x) y) AS s FROM RANGE(0, 400) x)',
    expected: '1992010666600\n',
  },
  {
    what: 'the same as a source',
    query: 'SELECT SUM(y) FROM RANGE(0, 400) x, RANGE(0, 100000 - x) y',
    expected: '1992010666600\n',
  },
  {
    what: 'a text of 200 kB for each of 400 rows',
    query: 'SELECT SUM(LENGTH(REPLICATE("é", CAST(100000 - x AS int)))) FROM RANGE(0, 400) x',
    expected: '39920200\n',
  },
  {
    what: 'the same in a condition',
    query: 'SELECT COUNT(*) FROM RANGE(0, 400) x WHERE LENGTH(REPLICATE("é", CAST(100000 - x AS int))) > 3',
    expected: '400\n',
  },
  {
    what: '100,000 texts of up to 100 kB for one row',
    query: 'SELECT LEN(t) FROM (SELECT (SELECT REPLICATE("a", CAST(y AS int)) FROM RANGE(0, 100000 - x) y) AS t FROM RANGE(0, 5) x)',
    expected: TOO_LONG,
  },
  {
    what: 'a text eight times itself, eight times',
    query: `${TIMES_EIGHT} SELECT LENGTH(f(f(f(f(f(f(f(f(x))))))))) FROM ["abc"] x`,
    expected: /more than 1 MB/,
  },
  {
    what: 'a text of 10 MB with something for each row',
    query: `${SHARED} SELECT SUM(LENGTH(a || CAST(x AS string))) FROM RANGE(0, 2000) x`,
    expected: /more than 1 MB/,
  },
  {
    what: 'a text of all rows with something for each row',
    query:
      'a := (SELECT STRING_AGG(REPLICATE("y", 1000), "") FROM RANGE(0, 5000) x); SELECT SUM(LENGTH(a || CAST(x AS string))) FROM RANGE(0, 2000) x',
    expected: /more than 1 MB/,
  },
  {
    what: 'a collection of all rows with something for each row',
    query: 'a := (SELECT COLLECT(x) FROM RANGE(0, 500000) x); SELECT SUM(LEN(a ++ [x])) FROM RANGE(0, 2000) x',
    expected: /more than 1 MB/,
  },
  {
    what: 'collections of 10,000 numbers for each of 2,048 elements',
    query:
      'SELECT LEN(TRANSFORM(a, \\(y) -> LEN(RANGE(0, 7900 + y)) + LEN(RANGE(1, 7900 + y)) + LEN(RANGE(2, 7900 + y)))) FROM (SELECT RANGE(0, 2048) AS a FROM [1] x)',
    expected: /more than 1000 elements/,
  },
  {
    what: 'eight collections of 10,000,000 numbers',
    query: Array.from({ length: 8 }, () => 'LEN(RANGE(0, 10000000))').join(' + '),
    expected: /more than 100000 elements/,
  },
  {
    what: '30 texts of 10 MB',
    query: `LEN([${Array.from({ length: 30 }, () => 'REPLICATE("x", 10000000)').join(', ')}])`,
    expected: /characters/,
  },
  {
    what: 'REPLACE by a long text',
    query: 'LENGTH(REPLACE(REPLICATE("x", 100000), "x", REPLICATE("y", 20000)))',
    expected: TOO_LONG,
  },
  {
    what: 'REPLACE of a regex by a long text',
    query: 'LENGTH(REPLACE(REPLICATE("x", 100000), r"x", REPLICATE("y", 20000)))',
    expected: TOO_LONG,
  },
  {
    what: 'REPLACE by what was found, over and over',
    query: `LENGTH(REPLACE(REPLICATE("x", 10000000), r"x*", "${'$0'.repeat(50)}"))`,
    expected: TOO_LONG,
  },
  {
    what: 'texts joined by a long one',
    query: 'LENGTH(MKSTRING(TRANSFORM(RANGE(0, 10000), \\(x) -> "a"), REPLICATE("y", 1000000)))',
    expected: TOO_LONG,
  },
  {
    what: 'texts of rows joined by a long one',
    query: 'SELECT LENGTH(STRING_AGG("a", REPLICATE("y", 100000))) FROM RANGE(0, 10000) x',
    expected: TOO_LONG,
  },
  {
    what: 'a long text of 10,000 rows',
    query: 'a := REPLICATE("y", 1000000); SELECT LENGTH(STRING_AGG(a, "")) FROM RANGE(0, 10000) x',
    expected: TOO_LONG,
  },
  { what: 'a collection behind itself', query: 'a := RANGE(0, 10000000); LEN(a ++ a ++ a ++ a)', expected: TOO_LONG },
  { what: 'a collection beside itself', query: 'a := RANGE(0, 2900000); LEN(ZIP(a, a, a, a, a, a, a, a))', expected: TOO_LONG },
  { what: 'REDUCE that doubles', query: 'LENGTH(REDUCE(RANGE(0, 40), "xy", \\(a, x) -> a || a))', expected: /more than 1 MB/ },
  { what: 'REDUCE that doubles a collection', query: 'LEN(REDUCE(RANGE(0, 40), [1, 2], \\(a, x) -> a ++ a))', expected: /more than 1 MB/ },
  {
    what: 'REDUCE that adds a letter a million times',
    query: 'LENGTH(REDUCE(RANGE(0, 1000000), "", \\(a, x) -> a || "x"))',
    expected: /more than 4 GB/,
  },
  {
    what: 'JSON of JSON of JSON',
    query: `b := REPLICATE("\\"", 10000000); LENGTH(${'TO_JSON('.repeat(8)}b${')'.repeat(8)})`,
    expected: TOO_LONG,
  },
];
