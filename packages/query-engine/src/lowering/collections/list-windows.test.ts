import { openQueryRunner, type QueryOutcome, type QueryRunner } from '../../testing/query-runner.ts';

/** Window calls over the elements of a collection within another query, where they are list functions: what the engine's own windows give of rows. */
let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner({});
});
afterAll(() => runner.close());

const ITEMS = [
  'RANK() OVER (ORDER BY x), DENSE_RANK() OVER (ORDER BY x)',
  'RANK() OVER (ORDER BY x DESC), DENSE_RANK() OVER (ORDER BY x DESC)',
  'RANK() OVER (), DENSE_RANK() OVER ()',
  'RANK() OVER (PARTITION BY x % 2 ORDER BY x)',
  'ROW_NUMBER() OVER ()',
  'ROW_NUMBER() OVER (PARTITION BY x), ROW_NUMBER() OVER (PARTITION BY x > 2, x % 2)',
  'NTILE(x - 2) OVER ()',
  'NTILE(9) OVER ()',
  'LAG(x) OVER (), LEAD(x) OVER ()',
  'LEAD(x, 9223372036854775807, 7) OVER ()',
  'FIRST_VALUE(x) OVER (ORDER BY x DESC), LAST_VALUE(x) OVER (ORDER BY x DESC)',
  'FIRST_VALUE(x) OVER (), LAST_VALUE(x) OVER ()',
  'FIRST_VALUE(x) OVER (ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING)',
  'FIRST(x) OVER (ORDER BY x DESC), LAST(x) OVER (ORDER BY x DESC)',
  'SUM(x) OVER (ORDER BY x), SUM(x) OVER (PARTITION BY x % 2), SUM(DISTINCT x) OVER ()',
  'SUM(x) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)',
  'SUM(x) OVER (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)',
  'SUM(x) OVER (ROWS BETWEEN 9223372036854775807 PRECEDING AND 9223372036854775807 FOLLOWING)',
  'SUM(x) OVER (ROWS BETWEEN COALESCE(x, 1) - 1 PRECEDING AND CURRENT ROW)',
  'SUM(x) OVER (ROWS BETWEEN COALESCE(x, 1) - 2 PRECEDING AND CURRENT ROW)',
  'SUM(x) OVER (ROWS BETWEEN CURRENT ROW AND COALESCE(x, 1) - 2 FOLLOWING)',
  'SUM(x) OVER (ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING)',
  'SUM(x) FILTER (WHERE x > 1) OVER (ORDER BY x)',
  'SUM(6 / (x - 3)) FILTER (WHERE x <> 3) OVER ()',
  'SUM(6 / (x - 3)) OVER ()',
  'SUM(x + 9223372036854775800) OVER (ORDER BY x)',
  'COUNT(*) OVER (), COUNT(*) OVER (ORDER BY x), COUNT(*) FILTER (WHERE x > 1) OVER (PARTITION BY x % 2)',
  'COUNT(DISTINCT x) OVER (ORDER BY x)',
  'ARG_MAX(x, -x) OVER (), QUANTILE(x, 0.5) OVER (), MODE(x) OVER (), STDDEV(x) OVER ()',
  'COLLECT(x) OVER (ORDER BY x)',
  'AVG(CAST(x AS decimal)) OVER (ORDER BY x)',
  'BOOL_AND(x > 1) OVER (ORDER BY x DESC)',
];

/** What depends on the place of a row among those that are alike in ORDER BY, which nobody promises. */
const BY_PLACE = [
  'ROW_NUMBER() OVER (ORDER BY x DESC)',
  'NTILE(2) OVER (ORDER BY x)',
  'NTILE(4) OVER (ORDER BY x)',
  'LAG(x, 2, -1) OVER (ORDER BY x)',
  'LEAD(x, 2) OVER (ORDER BY x)',
  'LAG(x, -1) OVER (ORDER BY x), LAG(x, 0) OVER (ORDER BY x)',
  'LAST_VALUE(x) OVER (ORDER BY x ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)',
  'SUM(x) OVER (ORDER BY x ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)',
  'STRING_AGG(STRING(x), "-") OVER (ORDER BY x), STRING_AGG(STRING(x), "+") OVER (ORDER BY x DESC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)',
  'MIN(x) OVER (ORDER BY x) + ROW_NUMBER() OVER (ORDER BY x DESC)',
  'NTILE(x) OVER (ORDER BY x)',
];

const ALIKE = ['[3, 1, 2, 1, 4]', '[3, NULL, 1, NULL, 4, 3]'];

describe.each(ALIKE)('over %s', (list) => {
  test.each(ITEMS)('%s', async (item) => {
    const { ofRows, ofList } = await overBoth(item, list);
    expect(ofList).toBe(ofRows);
  });

  test.each(BY_PLACE)('%s, in any order', async (item) => {
    const { ofRows, ofList } = await overBoth(item, list);
    expect(inAnyOrder(ofList)).toEqual(inAnyOrder(ofRows));
  });
});

describe.each(['[3, 1, 2, 4]', '[3, NULL, 1, 4, 2]'])('over %s', (list) => {
  test.each(BY_PLACE)('%s', async (item) => {
    const { ofRows, ofList } = await overBoth(item, list);
    expect(ofList).toBe(ofRows);
  });
});

test('with WHERE, an order of its own and sources beside each other', async () => {
  const text =
    'SELECT x, y, ROW_NUMBER() OVER (PARTITION BY x ORDER BY y DESC) AS n FROM [1, 2] x, [3, 4, 5] y WHERE y > 3 ORDER BY n DESC, y, x';
  const rows = await runner.run(text);
  const nested = text.replace('[1, 2] x, [3, 4, 5] y', 'c.a x, c.b y');
  expect(await runner.run(`REDUCE([(a: [1, 2], b: [3, 4, 5])], NULL, \\(_, c) -> (${nested}))`)).toEqual([`[${rows.join(',')}]`]);
});

/** The windows as the engine's own and as list functions: the list of what they give, or how they failed. */
async function overBoth(item: string, list: string): Promise<{ readonly ofRows: string; readonly ofList: string }> {
  const ofRows = await runner.outcome(`SELECT ${item} FROM ${list} x`);
  const ofList = await runner.outcome(`REDUCE([${list}], NULL, \\(_, c) -> (SELECT ${item} FROM c x))`);
  return { ofRows: ofRows.kind === 'result' ? `[${ofRows.lines.join(',')}]` : printed(ofRows), ofList: printed(ofList) };
}

function inAnyOrder(list: string): readonly string[] {
  return list.startsWith('!') ? [list] : (JSON.parse(list) as readonly unknown[]).map((row) => JSON.stringify(row)).toSorted();
}

function printed(outcome: QueryOutcome): string {
  return outcome.kind === 'result' ? outcome.lines.join('\n') : outcome.kind === 'failed' ? `! ${outcome.message}` : '?';
}
