/** Programs that use the whole grammar, each as it is written and not as it would be printed. */
export const PROGRAMS: readonly string[] = [
  '1', '-1', '-2147483648', '-9223372036854775808L', '3000000000', '1.5f + 2.50q - 1e3 * 2d', '"a\\n\\"b\\u{1F986}"', "'it''s'", '"""raw "x" \\n\n"""', 'r"\\\\d+"', 'r"""(?<n>\\w+)"""',
  'NULL', 'true AND False', 'NaN + Inf', 'date "2001-08-22"', "time '01:02:03'", 'timestamp "2001-08-22 03:04:05"', 'interval "1 year"', 'date(x)', 'date + time',
  '(a: 1, b: (c: 2, select: 3))', '(1, "x")', '()', '(a)', '((a))', '[]', '[1, [2], (a: 3)]', 'collection(1, 2)', 'collection()',
  'a.b.c[0].`d e`[1 + 2]', 'x.select', '(SELECT a FROM t)[0]', 'f()', 'f(1, "x", step := 2)', 'f(\\(x: int) -> x + 1)', 'p.f(1)(2)', '(f)(1)', '(\\(x) -> x)(1)', '`a``b`(1)',
  'a + +b', 'a - -b', 'a - -1', '- -1', '-(1)', '+(+a)', 'NOT NOT a', 'a ++ b +++ c', 'a || b || c', 'a % b / c * d',
  'a = b AND c == d OR e <> f AND g != h', '(a OR b) AND c', 'a < b', 'a <= b', 'a > b', 'a >= b',
  'a IN b', 'a NOT IN (1, 2)', 'a IN (1)', 'a IN (SELECT b FROM c)', 'a IN ((SELECT b FROM c))', 'a IN (WITH x AS (1) SELECT x FROM y)', 'a IN [1, 2] ++ b', 'a IN (b).c', 'a IN (b OR c)[0]',
  'a IN IF b THEN c ELSE d', '(a IN IF b THEN c ELSE d) AND e', 'a IN (with)', 'a IN ((with))', 'a IN (SELECT b FROM c UNION SELECT d FROM e ORDER BY b)',
  'a LIKE "x%"', 'a NOT ILIKE b || "%" ESCAPE "\\\\"', 'a BETWEEN 1 AND 2 AND b', 'a NOT BETWEEN b + 1 AND c ++ d', 'a IS NULL', 'a IS NOT NULL', 'a IS DISTINCT FROM b', 'a IS NOT DISTINCT FROM b + 1',
  't AT TIME ZONE "Europe/Paris" AT TIME ZONE z.name', '(t AT TIME ZONE z).x', 'a INTO (x: b, y: c + 1) EXCLUDE (z, `q r`)', 'a INTO (b)', 'a ++ b INTO (x: 1) = c',
  's PARSE AS r"a"', 's PARSE AS r"a" SKIP ON FAIL', 's PARSE AS r"a" NULL ON FAIL', 's PARSE AS r"a" ERROR ON FAIL', 's PARSE AS r"a" (x: 1, y: 2) ON FAIL', 's PARSE AS r"a" "none" ON FAIL',
  's PARSE AS r"a" -1 ON FAIL', 's PARSE AS (rx + "b") "x" ON FAIL', 's PARSE AS r"a" (f(x)) ON FAIL', 's PARSE AS r"a" date "2001-01-01" ON FAIL',
  'IF a THEN b ELSE IF c THEN d ELSE e', 'IF (a) THEN (b) ELSE (c)', 'CASE WHEN a THEN b END', 'CASE a WHEN 1 THEN b WHEN 2 THEN c ELSE d END + 1', 'CAST(a AS int nullable)', 'TRY_CAST(a + 1 AS collection(record(a: int)))',
  'CAST(a AS (x: int, string) -> (int) -> int nullable)', 'CAST(a AS ((int) -> int) nullable)', 'CAST(a AS int NOT NULLABLE)', 'CAST(a AS `my type`)',
  'READ("s3://b/p" AS collection(record(a: int)), cache := interval "1 day")', 'PARSE_JSON(s AS any)', 'QUERY_PGSQL("a", "b" AS collection(int))', 'PARSE(s, r"a")', 'DISTINCT(c)', 'ALL(c, f)', 'EXISTS(SELECT a FROM t)',
  'COUNT(*)', 'COUNT(DISTINCT a)', 'COUNT(DISTINCT (a))', 'COUNT((DISTINCT(c)))', 'STRING_AGG(a, ", " ORDER BY b DESC NULLS LAST, c ASC NULLS FIRST)', 'SUM(a) FILTER (WHERE b > 1)', 'AVG(SELECT p.cost FROM s.products p)',
  'SUM(a) OVER ()', 'SUM(a) OVER (PARTITION BY b, c ORDER BY d ROWS BETWEEN UNBOUNDED PRECEDING AND 1 + 1 FOLLOWING)', 'RANK() OVER (ORDER BY a ROWS 2 PRECEDING)',
  'SUM(a) FILTER (WHERE b) OVER (ORDER BY c ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)',
  '\\() -> 1', '\\(x: int, y := 2): long -> x + y', '\\(f: (int) -> int): (int) -> int -> f', '\\(city: string, n: int := 10) -> SELECT * FROM t WHERE c = city LIMIT n',
  '{ 1 }', '{ a := 1; b(x: int) := { y := x; y } c := 2; a + b(c) }', '{ f(x) }', 'WITH a AS (SELECT 1 FROM t), b AS (a) SELECT x FROM a, b UNION SELECT y FROM b',
  'SELECT * FROM t', 'SELECT t.*, u.* EXCLUDE (a) REPLACE (b + 1 AS b, c AS d) FROM t, u', 'SELECT * AS row FROM t', 'SELECT a b, c AS select, from: d, x.y FROM t', 'SELECT DISTINCT a FROM t', 'SELECT ALL a FROM t', 'SELECT ALL ALL(c, f) FROM t',
  'SELECT DISTINCT(a), b FROM t', 'SELECT a FROM t x AT i, x.items AS y AT j', 'SELECT a FROM x IN t, y = x.items', 'SELECT a FROM *', 'SELECT a FROM * g ORDER BY 1', 'SELECT a FROM [1, 2] ++ b c', 'SELECT a FROM (b UNION c) d',
  'SELECT a FROM t JOIN u ON t.id = u.id LEFT JOIN v USING (id, `k l`) RIGHT OUTER JOIN w ON TRUE FULL JOIN x USING (id) CROSS JOIN y INNER JOIN z',
  'SELECT a FROM left LEFT JOIN right ON a', 'SELECT a FROM t type', 'SELECT a FROM SELECT b FROM t WHERE c', 'SELECT a FROM t WHERE x IN (1, 2) AND NOT y GROUP BY a, b + 1 AS c HAVING COUNT(*) > 1 ORDER BY a DESC LIMIT 1 OFFSET 2',
  'SELECT a FROM t ORDER BY a UNION ALL SELECT b FROM u ORDER BY 1 LIMIT 3', 'SELECT a FROM t UNION (SELECT b FROM u ORDER BY 1)', '(SELECT a FROM t) EXCEPT (SELECT b FROM u) ORDER BY a', 'a UNION b INTERSECT c EXCEPT d', 'a UNION (b UNION c)',
  'a UNION (ALL(b, c))', '[1] UNION SELECT a FROM t LIMIT 1', 'SELECT IF a THEN b ELSE c FROM t UNION SELECT d FROM u', 'SELECT title, COUNT(*) AS n, (SELECT year FROM * ORDER BY year) AS years FROM authors GROUP BY title',
  'a := 1;', 'a: int nullable := 1; a', 'f(x: int, y: int := 1): long := x + y; f(1)', 'f() := { 1 } g() := 2; f()', 'PRIVATE a := 1; PRIVATE TYPE t := record(a: int); TYPE u := collection(t); x: u := []; x', 'TYPE := 1; type',
  'IMPORT p;', 'IMPORT p AS q; FROM r IMPORT a, b AS c; q + a', 'a := 1; FROM p IMPORT b; c := 2; a + b + c',
  '@get("/a/{n}", scopes := ["a:read"], summary := "x")\n@post("/b") f(n: string) := SELECT * FROM t WHERE c = n LIMIT 1;', '1;', '// c\n1 -- d\n/* e */;',
];

/** Numbers from 0 (inclusive) to 1 in an order that depends on the seed alone. */
export function randomSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Rule = (make: (rule: RuleName) => string) => string;
type RuleName = 'program' | 'declaration' | 'expression' | 'leaf' | 'name' | 'select' | 'source' | 'type';

/** One alternative each; the first of a rule is the smallest, and taken when the text is deep enough. */
const RULES: Readonly<Record<RuleName, readonly Rule[]>> = {
  program: [(m) => m('expression'), (m) => `${m('declaration')} ${m('expression')}`, (m) => `FROM p IMPORT ${m('name')}; ${m('declaration')} ${m('declaration')}`],
  declaration: [
    (m) => `${m('name')} := ${m('expression')};`, (m) => `PRIVATE ${m('name')}: ${m('type')} := ${m('expression')};`,
    (m) => `${m('name')}(${m('name')}: ${m('type')}, z: int := ${m('leaf')}) := ${m('expression')};`, (m) => `TYPE ${m('name')} := ${m('type')};`,
  ],
  name: [() => 'a', () => 'b', () => 'limit', () => '`x y`', () => 'time', () => 'Left'],
  type: [
    () => 'int', () => 'string nullable', (m) => `collection(${m('type')})`, (m) => `record(${m('name')}: ${m('type')}, select: any) nullable`,
    (m) => `(${m('type')}, n: ${m('type')}) -> ${m('type')}`, (m) => `((${m('type')}) -> int) nullable`,
  ],
  leaf: [(m) => m('name'), () => '1', () => '-2', () => '1.5q', () => '"s"', () => 'NULL', () => 'TRUE', () => 'date "2001-01-01"', () => 'r"a"', () => '[]', () => '-9e1'],
  expression: [
    (m) => m('leaf'), (m) => m('leaf'), (m) => `(${m('expression')})`, (m) => `(${m('expression')})`,
    ...['+', '-', '*', '/', '%', '||', '++', '+++', '=', '<', '>=', '<>', 'AND', 'OR', 'UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT'].map((operator): Rule => (m) => `(${m('expression')}) ${operator} (${m('expression')})`),
    ...['+', '-', '*', '||', '++'].map((operator): Rule => (m) => `${m('leaf')} ${operator} ${m('leaf')} ${operator} (${m('expression')})`),
    ...['AND', 'OR', 'UNION', 'INTERSECT'].map((operator): Rule => (m) => `${m('leaf')} ${operator} ${m('leaf')} ${operator} ${m('expression')}`),
    (m) => `NOT ${m('expression')}`, (m) => `- ${m('leaf')}`, (m) => `-(${m('expression')})`, (m) => `+ +(${m('expression')})`,
    (m) => `(a: (${m('expression')}), b: ${m('expression')})`, (m) => `[(${m('expression')}), (${m('expression')})]`,
    (m) => `(${m('expression')}).${m('name')}`, (m) => `${m('name')}.${m('name')}[${m('expression')}]`, (m) => `(${m('expression')})[0]`, (m) => `(${m('expression')})(1)`,
    (m) => `f((${m('expression')}), x := ${m('leaf')})`, (m) => `${m('name')}(${m('expression')})`, (m) => `SUM(DISTINCT (${m('expression')}) ORDER BY (${m('expression')}) DESC) FILTER (WHERE ${m('expression')})`,
    (m) => `SUM(*) OVER (PARTITION BY (${m('expression')}) ORDER BY ${m('leaf')} ROWS BETWEEN ${m('leaf')} PRECEDING AND CURRENT ROW)`, (m) => `READ(${m('leaf')} AS ${m('type')}, x := ${m('leaf')})`,
    (m) => `(${m('expression')}) IN (${m('expression')})`, (m) => `${m('leaf')} NOT IN (${m('leaf')}, ${m('expression')})`, (m) => `${m('leaf')} IN [${m('leaf')}]`, (m) => `${m('leaf')} IN (${m('expression')}).a ++ (${m('expression')})`,
    (m) => `${m('leaf')} IN ${m('select')}`, (m) => `${m('leaf')} IN (${m('select')})`, (m) => `${m('leaf')} IN ((${m('select')}))`,
    (m) => `(${m('expression')}) LIKE ${m('leaf')} ESCAPE ${m('leaf')}`, (m) => `${m('leaf')} BETWEEN (${m('expression')}) AND (${m('expression')})`, (m) => `(${m('expression')}) IS NOT NULL`, (m) => `${m('leaf')} IS DISTINCT FROM (${m('expression')})`,
    (m) => `(${m('expression')}) AT TIME ZONE (${m('expression')})`, (m) => `(${m('expression')}) INTO (x: ${m('expression')}) EXCLUDE (x)`, (m) => `(${m('expression')}) PARSE AS r"a" (${m('expression')}) ON FAIL`,
    (m) => `IF ${m('expression')} THEN ${m('expression')} ELSE ${m('expression')}`, (m) => `CASE WHEN ${m('expression')} THEN ${m('expression')} ELSE ${m('expression')} END`, (m) => `CAST((${m('expression')}) AS ${m('type')})`,
    (m) => `\\(${m('name')}: ${m('type')}, y): ${m('type')} -> ${m('expression')}`, (m) => `{ ${m('declaration')} ${m('expression')} }`, (m) => `WITH w AS (${m('expression')}) ${m('select')}`, (m) => m('select'), (m) => m('select'),
    (m) => `${m('select')} UNION ${m('select')}`, (m) => `SELECT a FROM ${m('source')} ORDER BY (${m('expression')}) EXCEPT (${m('select')}) ORDER BY a`, (m) => `(${m('select')}) INTERSECT SELECT DISTINCT b FROM ${m('source')} LIMIT ${m('leaf')}`,
  ],
  source: [
    (m) => m('name'), (m) => `(${m('expression')}) s AT i`, () => '* g', (m) => `x IN (${m('expression')})`, (m) => `${m('name')}, (${m('expression')}) AS ${m('name')}`,
    (m) => `(${m('expression')}) p LEFT JOIN ${m('name')} AS q ON (${m('expression')})`, (m) => `${m('name')} AS p FULL OUTER JOIN (${m('expression')}) q USING (a, b)`,
  ],
  select: [
    (m) => `SELECT ${m('leaf')} FROM ${m('source')}`, (m) => `SELECT DISTINCT (${m('expression')}) AS c, n: (${m('expression')}) FROM ${m('source')} WHERE (${m('expression')})`,
    (m) => `SELECT * EXCLUDE (a) REPLACE ((${m('expression')}) AS b) FROM ${m('source')}`, (m) => `SELECT t.*, ${m('leaf')} z FROM ${m('source')} GROUP BY (${m('expression')}) AS k HAVING (${m('expression')})`,
    (m) => `SELECT (${m('expression')}) FROM ${m('source')} ORDER BY (${m('expression')}) NULLS FIRST LIMIT (${m('expression')}) OFFSET ${m('leaf')}`,
  ],
};

/** A program made of the grammar's rules by chance, valid by syntax alone. */
export function randomProgram(random: () => number): string {
  let left = 60;
  const make = (rule: RuleName): string => {
    left -= 1;
    const alternatives = RULES[rule];
    const alternative = alternatives[left < 0 ? 0 : Math.floor(random() * alternatives.length)];
    return alternative === undefined ? '' : alternative(make);
  };
  return make('program');
}
