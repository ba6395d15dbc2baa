import { parseProgram } from '../parse.ts';

function faultOf(text: string): string {
  return parseProgram(text).diagnostics.map(({ message, spans }) => `${spans[0]?.start}-${spans[0]?.end} ${message}`)[0] ?? 'none';
}

test.each([
  ['SET threads = 1', '0-3 SET is not supported: a value is declared as name := value;'],
  ["COPY (SELECT 1) TO '/tmp/x'", '0-4 COPY is not supported: a query only reads; the format of a result is chosen with the Accept header'],
  ['1; ALTER TABLE x', '3-8 ALTER is not supported: a query only reads'],
  [
    'SELECT a FROM (SELECT b FROM t LIMIT 1 WHERE c) q',
    '39-44 WHERE stands before LIMIT: the order is SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT',
  ],
  ['f(set)) + 1', '6-7 found ): no bracket is open here'],
  ['READ("file:a.csv") LIMIT 1', '19-24 found LIMIT: it belongs to a SELECT: write SELECT * FROM … LIMIT …'],
  ['rows := [1]; rows ORDER BY x', '18-23 found ORDER: it belongs to a SELECT: write SELECT * FROM … ORDER …'],
  ['FROM p', '0-4 FROM is written SELECT * FROM p'],
])('%j fails with %s', (text, expected) => {
  expect(faultOf(text)).toBe(expected);
});

test.each([
  ['SELECT start end x FROM t', '13-16 found end, expected the end of the text'],
  ['SELECT a FROM (SELECT b FROM t WHERE c', '38-38 found the end of the text, expected )'],
  ['f(x: int := 1', '3-4 found :, expected )'],
  ['SELECT a FROM forms form x', '25-26 found x, expected the end of the text'],
])('what is no such mistake is left alone: %j', (text, expected) => {
  expect(faultOf(text)).toBe(expected);
});
