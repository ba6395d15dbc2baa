import { createSourceText } from '../text/source-text.ts';
import { parseProgram, parseTypeExpression } from './parse.ts';

function faultsOf(text: string, parse: typeof parseProgram | typeof parseTypeExpression = parseProgram): readonly string[] {
  const source = createSourceText(text);
  return parse(text).diagnostics.map(({ message, spans }) =>
    spans
      .map((span) => {
        const { begin, end } = source.positionOf(span);
        return `${begin.line}:${begin.column}-${end.line}:${end.column} ${message}`;
      })
      .join(' | '),
  );
}

test.each([
  ['', '1:1-1:1 found the end of the text, expected an expression'],
  ['  // nothing\n', '2:1-2:1 found the end of the text, expected an expression'],
  ['1 +', '1:4-1:4 found the end of the text, expected an expression'],
  ['1 2', '1:3-1:4 found 2, expected the end of the text'],
  ['(1', '1:3-1:3 found the end of the text, expected )'],
  ['(1, 2]', '1:6-1:7 found ], expected )'],
  ['[1, ]', '1:5-1:6 found ]: remove the comma before it'],
  ['a = b = c', '1:7-1:8 comparisons do not chain: write a < x AND x < b'],
  ['SELECT', '1:7-1:7 found the end of the text, expected an expression'],
  ['SELECT a FROM', '1:14-1:14 found the end of the text, expected an expression'],
  ['SELECT a FROM', '1:14-1:14 found the end of the text, expected an expression'],
  ['SELECT FROM t', '1:8-1:12 found FROM: SELECT needs an item before it, as in SELECT * FROM'],
  ['SELECT a,\n  FROM t', '2:3-2:7 found FROM: remove the comma before it'],
  ['SELECT a FROM t GROUP a', '1:17-1:22 GROUP is written GROUP BY'],
  ['SELECT a FROM t ORDER BY', '1:25-1:25 found the end of the text, expected an expression'],
  ['SELECT a FROM t ORDER BY a NULLS', '1:33-1:33 found the end of the text, expected FIRST or LAST'],
  ['SELECT a FROM t NATURAL JOIN u', '1:17-1:24 NATURAL is not supported: write JOIN … USING (name, …)'],
  ['SELECT a FROM t FULL JOIN u', '1:28-1:28 found the end of the text, expected ON or USING'],
  [
    'SELECT a FROM t, u RIGHT OUTER JOIN v ON TRUE',
    '1:20-1:36 found RIGHT JOIN after a comma, expected the joined sources first, as in FROM b RIGHT JOIN c ON …, a, or CROSS JOIN for the comma',
  ],
  [
    'SELECT a FROM t, u LEFT JOIN w ON TRUE FULL JOIN v ON TRUE',
    '1:40-1:49 found FULL JOIN after a comma, expected the joined sources first, as in FROM b FULL JOIN c ON …, a, or CROSS JOIN for the comma',
  ],
  ['SELECT a FROM t CROSS JOIN u ON TRUE', '1:30-1:32 ON of a CROSS JOIN is not supported: write JOIN … ON'],
  ['SELECT a FROM t INNER OUTER JOIN u', '1:23-1:28 OUTER is not supported: write LEFT, RIGHT or FULL JOIN'],
  ['SELECT a FROM t JOIN u USING a', '1:30-1:31 found a, expected ('],
  ["SELECT a AS 'x' FROM t", "1:13-1:16 found 'x': a name stands in double quotes or back-ticks: `x`"],
  ['SELECT a AS "" FROM t', '1:13-1:15 found "", expected a name'],
  ['f(SELECT 1, 2)', '1:3-1:14 a SELECT beside other arguments or fields needs parentheses of its own: (SELECT …)'],
  ["x LIKE ANY ('a%', 'b%')", '1:8-1:11 LIKE ANY is not supported: write x LIKE "a%" OR x LIKE "b%", or AND for ALL'],
  ['EXTRACT(dow FROM t)', '1:9-1:12 dow is not supported: write DAY_OF_WEEK(t) % 7, which is 0 on Sundays'],
  ['SELECT a FROM t FETCH 2 ROWS ONLY', '1:23-1:24 found 2, expected FIRST'],
  ['CAST(a AS varchar(x))', '1:19-1:20 found x, expected a whole number'],
  ['SELECT a FROM t LIMIT 1 LIMIT 2', '1:25-1:30 a SELECT has one LIMIT'],
  ['SELECT a FROM t limit', '1:22-1:22 found the end of the text, expected an expression'],
  ['x IS 1', '1:6-1:7 found 1, expected NULL, NOT, TRUE, FALSE or DISTINCT FROM'],
  ['x IS NOT 1', '1:10-1:11 found 1, expected NULL, TRUE, FALSE or DISTINCT FROM'],
  ['x BETWEEN 1 OR 2', '1:13-1:15 found OR, expected AND'],
  ['x IN ()', '1:7-1:8 found ), expected an expression'],
  ['IF a THEN b', '1:12-1:12 found the end of the text, expected ELSE'],
  ['CASE END', '1:6-1:9 found END, expected an expression'],
  ['CASE a ELSE b END', '1:8-1:12 found ELSE, expected WHEN'],
  ['CAST(a, int)', '1:7-1:8 found ,, expected AS'],
  ['CAST(a AS SELECT)', '1:11-1:17 found SELECT, expected a type'],
  ['\\x -> x', '1:2-1:3 found x, expected ('],
  ['\\(x) x', '1:6-1:7 found x, expected ->'],
  ['a.1', '1:3-1:4 found 1, expected a field name'],
  ['a := 1; a := ', '1:14-1:14 found the end of the text, expected an expression'],
  ['a := 1 b', '1:8-1:9 found b, expected ;'],
  ['f(x: int := 1', '1:4-1:5 found :, expected )'],
  ['{ a := 1; }', '1:11-1:12 found }, expected an expression'],
  ['PRIVATE 1', '1:9-1:10 found 1, expected the name of a declaration'],
  ['select := 1; 2', '1:1-1:7 found select: a reserved word stands in back-ticks as a name: `select`'],
  ['SELECT order, x FROM t', '1:8-1:13 found order: a reserved word stands in back-ticks as a name: `order`'],
  ['SELECT start, end FROM t', '1:15-1:18 found end: a reserved word stands in back-ticks as a name: `end`'],
  ['SELECT from, to FROM t', '1:8-1:12 found from: a reserved word stands in back-ticks as a name: `from`'],
  ['SELECT x FROM t WHERE group = 1', '1:23-1:28 found group: a reserved word stands in back-ticks as a name: `group`'],
  ['SELECT x FROM t GROUP BY order', '1:26-1:31 found order: a reserved word stands in back-ticks as a name: `order`'],
  ['SELECT x FROM t ORDER BY end DESC', '1:26-1:29 found end: a reserved word stands in back-ticks as a name: `end`'],
  ['SELECT x FROM t WHERE ORDER BY x', '1:23-1:28 found ORDER, expected an expression'],
  ['SELECT x, FROM (SELECT 1)', '1:11-1:15 found FROM: remove the comma before it'],
  ['CASE WHEN a THEN END', '1:18-1:21 found END, expected an expression'],
  ['IMPORT p', '1:9-1:9 found the end of the text, expected ;'],
  ['FROM p', '1:1-1:5 FROM is written SELECT * FROM p'],
  ['FROM p IMPORT ;', '1:15-1:16 found ;, expected a name'],
  ['@get("/x") TYPE a := int;', '1:17-1:18 found a, expected :='],
  ['@get f() := 1;', '1:6-1:7 found f, expected ('],
  ['COUNT(DISTINCT x AS int)', '1:18-1:20 found AS, expected )'],
  ['READ("x" AS int ORDER BY a)', '1:17-1:22 found ORDER, expected )'],
  ['READ("x" AS int, "y" AS int)', '1:22-1:24 found AS, expected )'],
  ['a.b("x" AS int)', '1:9-1:11 found AS, expected )'],
  ['x PARSE AS r"a" (1)', '1:20-1:20 found the end of the text, expected ON'],
  ['SUM(a) OVER (ROWS BETWEEN 1 AND 2)', '1:29-1:32 found AND, expected PRECEDING or FOLLOWING'],
  ['1; 2', '1:4-1:5 found 2, expected the end of the text'],
  ['"🦆" 1', '1:5-1:6 found 1, expected the end of the text'],
  ['9223372036854775808', '1:1-1:20 number too large'],
  ['1 - 9223372036854775808', '1:5-1:24 number too large'],
  [`1 ${'x'.repeat(40)}`, `1:3-1:43 found ${'x'.repeat(30)}…, expected the end of the text`],
])('%j fails alone with %s', (text, expected) => {
  expect(faultsOf(text)).toEqual([expected]);
});

test.each([
  ['', '1:1-1:1 found the end of the text, expected a type'],
  ['collection(int', '1:15-1:15 found the end of the text, expected )'],
  ['record(a int)', '1:10-1:13 found int, expected :'],
  ['(x: int)', '1:9-1:9 found the end of the text, expected ->'],
  ['int nullable nullable', '1:14-1:22 found nullable, expected the end of the text'],
  ['int not', '1:5-1:8 found not, expected the end of the text'],
])('the type %j fails with %s', (text, expected) => {
  expect(faultsOf(text, parseTypeExpression)).toEqual([expected]);
});

test.each([
  ['parentheses', '(', '1', ')', 200],
  ['lists', '[', '1', ']', 200],
  ['calls', 'f(', '1', ')', 200],
  ['blocks', '{', '1', '}', 200],
  ['blocks in declarations', '{ a := ', '1', '; a }', 200],
  ['SELECTs', 'SELECT a FROM ', 't', '', 200],
  ['IFs', 'IF a THEN b ELSE ', 'c', '', 200],
  ['lambdas', '\\(x) -> ', 'x', '', 200],
  ['CASEs', 'CASE WHEN ', 'a', ' THEN 1 END', 200],
  ['NOTs', 'NOT ', 'a', '', 200],
  ['signs', '- ', 'a', '', 200],
  ['fields', '', 'x', '.a', 200],
  ['indexes', '', 'x', '[0]', 200],
  ['EXCLUDEs', '', 'x', ' EXCLUDE (a)', 200],
])('%s may be nested to the limit and no further', (_, open, core, close, most) => {
  expect(faultsOf(open.repeat(most) + core + close.repeat(most))).toEqual([]);
  const [fault, ...others] = faultsOf(open.repeat(most + 1) + core + close.repeat(most + 1));
  expect(fault).toMatch(/nested more than 200 levels deep$/);
  expect(others).toEqual([]);
});

test('wrappings that no bracket counts are limited together', () => {
  const [fault, ...others] = faultsOf(`${'('.repeat(100)}x${`${'.a'.repeat(100)} + 1)`.repeat(100)}`);
  expect(fault).toMatch(/nested more than 1000 levels deep$/);
  expect(others).toEqual([]);
});

test.each([
  ['+', 'x'],
  ['OR', 'x'],
  ['AND', 'x'],
  ['++', '[1]'],
  ['UNION ALL', '[1]'],
  ['INTERSECT', '[1]'],
  ['*', '2'],
  ['||', '"a"'],
])('a chain of 10 000 %s is no nesting', (operator, operand) => {
  expect(faultsOf(Array.from({ length: 10_000 }, () => operand).join(` ${operator} `))).toEqual([]);
});
