import type { Program } from './ast.ts';
import { parseProgram, parseTypeExpression } from './parse.ts';
import { printProgram } from './print/print-program.ts';
import { printTypeExpression } from './print/print-type.ts';
import { PROGRAMS, randomProgram, randomSource } from './testing/programs.ts';
import type { SyntaxNode } from './walk.ts';
import { childrenOf } from './walk.ts';

function parse(text: string): Program {
  const { tree, diagnostics } = parseProgram(text);
  if (tree === null) throw new Error(`${text}\n${diagnostics[0].message} ${JSON.stringify(diagnostics[0].spans)}`);
  return tree;
}

/** A tree without its places. */
function shapeOf(tree: SyntaxNode): unknown {
  return JSON.parse(JSON.stringify(tree, (key, value: unknown) => (/span$/i.test(key) ? undefined : value)));
}

test.each([
  ['a + b * c', 'a + (b * c)', '(a + b) * c'],
  ['a - b - c', '(a - b) - c', 'a - (b - c)'],
  ['a || b + c', '(a || b) + c', 'a || (b + c)'],
  ['a ++ b + c', 'a ++ (b + c)', '(a ++ b) + c'],
  ['a +++ b ++ c', '(a +++ b) ++ c', 'a +++ (b ++ c)'],
  ['-a * b', '(-a) * b', '-(a * b)'],
  ['-a.b', '-(a.b)', '(-a).b'],
  ['NOT a = b', 'NOT (a = b)', '(NOT a) = b'],
  ['NOT a AND b OR c', '((NOT a) AND b) OR c', 'NOT (a AND b OR c)'],
  ['a OR b AND c', 'a OR (b AND c)', '(a OR b) AND c'],
  ['a = b + c', 'a = (b + c)', '(a = b) + c'],
  ['a IN b ++ c', 'a IN b ++ c', '(a IN b) ++ c'],
  ['a ++ b INTO (x: c)', '(a ++ b) INTO (x: c)', 'a ++ (b INTO (x: c))'],
  ['a INTO (b) EXCLUDE (c) = d', '((a INTO (b)) EXCLUDE (c)) = d', 'a INTO (b = d)'],
  ['a BETWEEN b + 1 AND c AND d', '(a BETWEEN (b + 1) AND c) AND d', 'a BETWEEN b + 1 AND (c AND d)'],
  ['a UNION b INTERSECT c', 'a UNION (b INTERSECT c)', '(a UNION b) INTERSECT c'],
  ['a UNION b INTERSECT ALL c', 'a UNION (b INTERSECT ALL c)', '(a UNION b) INTERSECT ALL c'],
  ['a UNION ALL b EXCEPT c', '(a UNION ALL b) EXCEPT c', 'a UNION ALL (b EXCEPT c)'],
  ['IF a THEN b ELSE c + d', 'IF a THEN b ELSE (c + d)', '(IF a THEN b ELSE c) + d'],
  ['IF a THEN b ELSE c UNION d', 'IF a THEN b ELSE (c UNION d)', '(IF a THEN b ELSE c) UNION d'],
  ['\\(x) -> x + 1', '\\(x) -> (x + 1)', '(\\(x) -> x) + 1'],
  ['1 + SELECT a FROM t WHERE b AND c', '1 + (SELECT a FROM t WHERE (b AND c))', '(1 + SELECT a FROM t WHERE b) AND c'],
  ['CASE a WHEN 1 THEN 2 END + 3', '(CASE a WHEN 1 THEN 2 END) + 3', 'CASE a WHEN 1 THEN 2 ELSE 2 + 3 END'],
  ['SELECT a FROM t UNION SELECT b FROM u', '(SELECT a FROM t) UNION (SELECT b FROM u)', 'SELECT a FROM (t UNION SELECT b FROM u)'],
  ['t AT TIME ZONE z.name', 't AT TIME ZONE (z.name)', '(t AT TIME ZONE z).name'],
  ['t AT TIME ZONE a AT TIME ZONE b', '(t AT TIME ZONE a) AT TIME ZONE b', 't AT TIME ZONE (a AT TIME ZONE b)'],
  ['-1 - -1', '(-1) - (-1)', '-(1) - -(1)'],
  ['a -1', 'a - (1)', 'f(a, -1)'],
  ['a == b', 'a = b', 'a <> b'],
  ['a != b', 'a <> b', 'a = b'],
  ['collection(1, 2)', '[1, 2]', '(1, 2)'],
  ['x IN (a)', 'x IN (a)', 'x IN a'],
  ['x IN (a).b', 'x IN a.b', 'x IN (a.b)'],
  ['x IN (a ++ b) ++ c', 'x IN a ++ b ++ c', 'x IN (a ++ b ++ c)'],
  ['x IN (a) AND b', '(x IN (a)) AND b', 'x IN (a AND b)'],
  ['x IN (SELECT a FROM t) ++ c', 'x IN (SELECT a FROM t) ++ c', 'x IN ((SELECT a FROM t), c)'],
  ['FROM_x.y', '(FROM_x).y', '`FROM_x`.y'],
  ['WITH a AS (1), b AS (a) SELECT b FROM a', '{ a := 1; b := a; SELECT b FROM a }', '{ a := 1; SELECT b FROM a }'],
  ['SELECT x FROM x IN t, y = u', 'SELECT x FROM t AS x, u AS y', 'SELECT x FROM t x JOIN u y'],
  ['SELECT n: a FROM t', 'SELECT a AS n FROM t', 'SELECT a FROM t'],
  ['SELECT a n FROM t AT i', 'SELECT a AS n FROM t AT i', 'SELECT a AS n FROM t AS i'],
  ['a + b::int', 'a + CAST(b AS int)', 'CAST(a + b AS int)'],
  ['a IS NOT TRUE', 'a IS DISTINCT FROM TRUE', 'a IS NOT DISTINCT FROM TRUE'],
  ['interval -3 days', 'interval "-3 days"', 'interval "3 days"'],
  ["interval '2' hour + t", 'interval "2 hour" + t', 'interval "2" + t'],
  ['EXTRACT(doy FROM a + b)', 'DAY_OF_YEAR(a + b)', 'DAY_OF_YEAR(a) + b'],
  ['EXTRACT(year FROM a)', 'YEAR(a)', 'YEAR(b)'],
  ['SUBSTRING(a FROM 2 FOR 3)', 'SUBSTRING(a, 2, 3)', 'SUBSTRING(a, 3, 2)'],
  ['SUBSTRING(a FROM 2)', 'SUBSTRING(a, 2)', 'SUBSTRING(a)'],
  ['POSITION(a IN b)', 'CHARINDEX(a, b)', 'CHARINDEX(b, a)'],
  ['SELECT a AS "b c" FROM t', 'SELECT a AS `b c` FROM t', 'SELECT a AS b FROM t'],
  ['t."b c"', 't.`b c`', 't.b'],
  ['SELECT a FROM LATERAL (SELECT b FROM c) t', 'SELECT a FROM (SELECT b FROM c) AS t', 'SELECT a FROM `LATERAL` AS t'],
  [
    'SELECT a FROM VALUES (1, 2), (3, 4) AS t (a, b), u',
    'SELECT a FROM [(_1: 1, _2: 2), (_1: 3, _2: 4)] AS t (a, b), u',
    'SELECT a FROM t',
  ],
  ['x IN (VALUES (1), (2))', 'x IN [(_1: 1), (_1: 2)]', 'x IN (1, 2)'],
  ['WITH a (b) AS (c) SELECT b FROM a', '{ a := SELECT * FROM c AS a (b); SELECT b FROM a }', '{ a := c; SELECT b FROM a }'],
  ['SELECT a FROM t OFFSET 1 ROW FETCH NEXT 2 ROWS ONLY', 'SELECT a FROM t LIMIT 2 OFFSET 1', 'SELECT a FROM t LIMIT 1 OFFSET 2'],
  ['SELECT a FROM t FETCH FIRST ROW ONLY', 'SELECT a FROM t LIMIT 1', 'SELECT a FROM t'],
  ['SELECT a FROM t GROUP BY ALL(b, c)', 'SELECT a FROM t GROUP BY (ALL(b, c))', 'SELECT a FROM t GROUP BY ALL'],
  ['SUM(a) OVER w', 'SUM(a) OVER (w)', 'SUM(a) OVER ()'],
  ['LAST_VALUE(a IGNORE NULLS) OVER ()', 'LAST(a) OVER ()', 'LAST_VALUE(a) OVER ()'],
  ['LAST_VALUE(a) IGNORE NULLS OVER ()', 'LAST(a) OVER ()', 'LAST_VALUE(a) OVER ()'],
  ['PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a)', 'QUANTILE(a, 0.5)', 'QUANTILE(0.5, a)'],
  ['STRING_AGG(a, b) WITHIN GROUP (ORDER BY c)', 'STRING_AGG(a, b ORDER BY c)', 'STRING_AGG(a, b)'],
  ['SAFE_CAST(a AS int)', 'TRY_CAST(a AS int)', 'CAST(a AS int)'],
  ['SELECT ALL a FROM t', 'SELECT a FROM t', 'SELECT DISTINCT a FROM t'],
  ['SELECT a FROM t UNION DISTINCT SELECT a FROM u', 'SELECT a FROM t UNION SELECT a FROM u', 'SELECT a FROM t UNION ALL SELECT a FROM u'],
  ['SELECT a FROM t OFFSET 1 LIMIT 2', 'SELECT a FROM t LIMIT 2 OFFSET 1', 'SELECT a FROM t LIMIT 1 OFFSET 2'],
  [
    'SUM(a) OVER (ORDER BY b ROWS 1 PRECEDING)',
    'SUM(a) OVER (ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)',
    'SUM(a) OVER (ORDER BY b)',
  ],
  [
    '(SELECT a FROM t UNION (SELECT b FROM u UNION SELECT c FROM v) ORDER BY a)',
    '(SELECT a FROM t) UNION (SELECT b FROM u UNION SELECT c FROM v) ORDER BY a',
    'SELECT a FROM t UNION (SELECT b FROM u UNION SELECT c FROM v ORDER BY a)',
  ],
])('%s means %s and not %s', (text, same, other) => {
  expect(shapeOf(parse(text))).toEqual(shapeOf(parse(same)));
  expect(shapeOf(parse(text))).not.toEqual(shapeOf(parse(other)));
});

test("ORDER BY, LIMIT and OFFSET after the last SELECT of a chain are the chain's, and a SELECT in parentheses keeps its own", () => {
  expect(parse('SELECT a FROM t ORDER BY a UNION SELECT b FROM u ORDER BY 1 LIMIT 2').result).toMatchObject({
    kind: 'OrderedChain',
    orderBy: [{}],
    limit: { text: '2' },
    offset: null,
    operand: { left: { kind: 'SelectExpression', orderBy: [{}] }, right: { kind: 'SelectExpression', orderBy: [], limit: null } },
  });
  expect(parse('SELECT a FROM t UNION (SELECT b FROM u ORDER BY 1)').result).toMatchObject({
    kind: 'SetExpression',
    right: { orderBy: [{}] },
  });
  expect(parse('SELECT a FROM t UNION (SELECT b FROM u ORDER BY 1) LIMIT 3').result).toMatchObject({
    kind: 'OrderedChain',
    orderBy: [],
    operand: { right: { orderBy: [{}] } },
  });
  expect(parse('SELECT a FROM t UNION SELECT b FROM u INTERSECT SELECT c FROM v OFFSET 3').result).toMatchObject({
    kind: 'OrderedChain',
    offset: { text: '3' },
    operand: { right: { kind: 'SetExpression', right: { offset: null } } },
  });
});

test.each([
  ['a.b::int + 1', 'CastExpression', 'a.b::int'],
  ['(a + b) * c', 'BinaryExpression', '(a + b) * c'],
  ['1 + (a + b).c', 'FieldAccess', '(a + b).c'],
  ['x IN ((a))', 'InExpression', 'x IN ((a))'],
  ['(a) BETWEEN (1) AND (2)', 'BetweenExpression', '(a) BETWEEN (1) AND (2)'],
  ['NOT (a)', 'UnaryExpression', 'NOT (a)'],
  ['f(\n 1 , x := 2 ) + 1', 'CallExpression', 'f(\n 1 , x := 2 )'],
  ['f(1, x := 2)', 'Argument', '1'],
  ['SELECT a FROM t u AT i WHERE b', 'Source', 't u AT i'],
  ['SELECT a FROM t WHERE b ; ', 'SelectExpression', 'SELECT a FROM t WHERE b'],
  ['x: int nullable := (1); x', 'DataDeclaration', 'x: int nullable := (1)'],
  ['x: int nullable := 1; x', 'NamedTypeExpression', 'int nullable'],
])('in %j the span of the first %s is %j', (text, kind, expected) => {
  const found: string[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.kind === kind) found.push(text.slice(node.span.start, node.span.end));
    childrenOf(node).forEach(visit);
  };
  visit(parse(text));
  expect(found[0]).toBe(expected);
});

test.each(PROGRAMS)('printed and parsed again, this program is the same: %s', (text) => {
  const tree = parse(text);
  expect(shapeOf(parse(printProgram(tree)))).toEqual(shapeOf(tree));
});

test('printed and parsed again, 1 000 generated programs are the same', () => {
  const random = randomSource(20_260_801);
  const different: string[] = [];
  for (let i = 0; i < 1000; i += 1) {
    const text = randomProgram(random);
    const tree = parse(text);
    const printed = printProgram(tree);
    if (JSON.stringify(shapeOf(parse(printed))) !== JSON.stringify(shapeOf(tree))) different.push(`${text}\nis printed as\n${printed}`);
  }
  expect(different).toEqual([]);
});

test.each([
  'int',
  'collection(int nullable) nullable',
  'record(a: int, `b c`: record(), select: any)',
  '(int) -> string',
  '() -> int nullable',
  '((x: int) -> long) nullable',
  '(collection(int), (int) -> int) -> (int) -> int',
  'My_Type',
  '`int`',
])('the type %s is printed as it is written', (text) => {
  const { tree } = parseTypeExpression(text);
  expect(tree === null ? null : printTypeExpression(tree)).toBe(text);
});

test('every node lies within its parent, but for the comma before a source', () => {
  const isComma = (node: SyntaxNode): boolean => node.kind === 'Join' && node.isComma;
  const outside: string[] = [];
  const check = (node: SyntaxNode, text: string): void => {
    for (const child of childrenOf(node)) {
      const isInside = child.span.start >= node.span.start && child.span.end <= node.span.end && child.span.start <= child.span.end;
      if (!isInside && !isComma(child)) outside.push(`${child.kind} is not inside ${node.kind} in ${text}`);
      check(child, text);
    }
  };
  const random = randomSource(7);
  for (const text of [...PROGRAMS, ...Array.from({ length: 500 }, () => randomProgram(random))]) check(parse(text), text);
  expect(outside).toEqual([]);
});

test('a program with one character lost, doubled or replaced gives at most one diagnostic, inside the text', () => {
  const noise = '()[]{},;:.+-*/%=<>\\@"\'`0aL \n🦆#';
  const wrong: string[] = [];
  for (const program of PROGRAMS) {
    for (let i = 0; i < program.length; i += 1) {
      const [head, tail] = [program.slice(0, i), program.slice(i + 1)];
      const other = noise.charAt((i * 7 + program.length) % noise.length);
      for (const text of [head + tail, head + program.charAt(i).repeat(2) + tail, head + other + tail, head]) {
        const { tree, diagnostics } = parseProgram(text);
        const isInText = diagnostics.every(
          ({ spans }) => spans.length === 1 && spans.every(({ start, end }) => start >= 0 && start <= end && end <= text.length),
        );
        if (diagnostics.length !== (tree === null ? 1 : 0) || !isInText) wrong.push(text);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('names of keywords, types and functions that are not reserved are names', () => {
  for (const word of [
    'limit',
    'offset',
    'left',
    'skip',
    'desc',
    'over',
    'filter',
    'with',
    'type',
    'at',
    'exclude',
    'replace',
    'date',
    'int',
    'collection',
    'sum',
    'nullable',
    'r',
    'fail',
    'row',
    'zone',
  ]) {
    expect(parse(`${word} + t.${word}`).result).toMatchObject({ left: { name: { text: word } }, right: { field: { text: word } } });
    expect(parse(`${word} := 1; SELECT ${word} AS ${word} FROM t AS ${word}`).declarations).toHaveLength(1);
  }
  for (const word of ['select', 'from', 'group', 'null', 'in', 'private']) {
    expect(parse(`(t.${word}, \`${word}\`)`).result).toMatchObject({ kind: 'RecordExpression' });
    expect(parse(`SELECT ${word}: 1, x AS ${word} FROM (${word}: 1)`).result).toMatchObject({
      items: [{ alias: { text: word } }, { alias: { text: word } }],
    });
  }
});

test('a query of 30 lines is parsed within 3 ms on a loaded machine too', () => {
  const query = Array.from(
    { length: 30 },
    (_, i) => `  SUM(o.price * o.quantity) FILTER (WHERE o.kind = ${i} AND o.note IS NOT NULL) AS c${i}`,
  ).join(',\n');
  const text = `SELECT\n${query}\nFROM READ_CSV("file:orders.csv") o GROUP BY o.country`;
  let best = Infinity;
  for (let i = 0; i < 500; i += 1) {
    const start = performance.now();
    parse(text);
    best = Math.min(best, performance.now() - start);
  }
  expect(best).toBeLessThan(3);
});
