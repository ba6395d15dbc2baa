import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runStatement } from '@svc/query-engine';
import supertest from 'supertest';

import { ask, askingAs } from '../testing/ask.ts';
import { startExecutorUnderTest, type ExecutorUnderTest } from '../testing/executor-under-test.ts';

let executor: ExecutorUnderTest;
let ann: string;

beforeAll(async () => {
  executor = await startExecutorUnderTest({ concurrency: 8 });
  ann = await executor.token('ann');
});
afterAll(() => executor.close());

const answer = askingAs(() => ({ url: executor.url, token: ann }));
const put = (path: string, body: string | object) => answer('put', path, { body });
const query = (body: string) => answer('post', '/query', { body });
const invalid = (message: string) => [400, { validationErrors: [{ message, positions: [expect.any(Object)] }], runtimeError: null }];
const sendRows = (table: string, lines: string) =>
  answer('post', `/tables/${table}/rows`, { body: lines, headers: { 'Content-Type': 'application/x-ndjson' } });

test('a view may use views, tables, packages and files together', async () => {
  await writeFile(join(executor.root, 'names.csv'), 'id,name\n1,Ann\n2,Bo\n');
  await put('/tables/sales', { type: 'collection(record(person: int, amount: double))' });
  await sendRows('sales', '{"person": 1, "amount": 10.5}\n{"person": 2, "amount": 1}\n{"person": 1, "amount": 2}\n');
  await put('/packages/money', 'cents(x: double) := LONG(x * 100)');
  await put('/views/names', 'READ("file:names.csv")');
  expect(
    await put(
      '/views/totals',
      'FROM money IMPORT cents; SELECT n.name, cents(SUM(s.amount)) AS cents FROM sales s JOIN names n ON n.id = s.person GROUP BY n.name',
    ),
  ).toEqual([200, { type: 'collection(record(name: string, cents: long))' }]);
  expect(await query('SELECT * FROM Totals WHERE cents > 100')).toEqual([200, '{"name":"Ann","cents":1250}\n']);
  const { body } = await ask(executor.url, 'get', '/catalog', { as: ann });
  expect(body).toMatchObject({
    views: [
      { name: 'names', uses: [] },
      {
        name: 'totals',
        uses: [
          { kind: 'package', name: 'money' },
          { kind: 'table', name: 'sales' },
          { kind: 'view', name: 'names' },
        ].toSorted((a, b) => (`${a.kind} ${a.name}` < `${b.kind} ${b.name}` ? -1 : 1)),
      },
    ],
  });
});

test('what a view uses is gone: using it names the view and the cause, and it stays listed', async () => {
  await put('/tables/t', { type: 'collection(record(a: int))' });
  await put('/packages/p', 'one := 1');
  await writeFile(join(executor.root, 'gone.csv'), 'a\n1\n');
  await put('/views/over_table', 'SELECT a FROM t');
  await put('/views/over_package', 'FROM p IMPORT one;\none');
  await put('/views/over_file', 'SELECT a FROM READ("file:gone.csv")');
  await put('/views/over_view', '[over_package]');
  await answer('delete', '/table/t');
  await answer('delete', '/packages/p');
  await writeFile(join(executor.root, 'gone.csv'), 'b\n1\n');
  expect(await query('over_table')).toEqual(invalid('view over_table cannot be used: t is not declared at 1:15'));
  expect(await query('over_package')).toEqual(invalid('view over_package cannot be used: package p does not exist at 1:6'));
  expect(await query('over_file')).toEqual(invalid(expect.stringMatching(/^view over_file cannot be used: a is not .* at 1:8$/) as string));
  expect(await query('over_view')).toEqual(
    invalid('view over_view cannot be used: view over_package cannot be used: package p does not exist at 1:6'),
  );
  expect(await put('/views/another', 'over_table')).toEqual(invalid('view over_table cannot be used: t is not declared at 1:15'));
  expect((await answer('get', '/views?pattern=over\\_%25'))[1]).toHaveLength(4);
  expect((await answer('get', '/views/over_table'))[0]).toBe(200);
});

test('what a view uses has changed: it is used as long as its type is the one that it was saved with', async () => {
  await put('/views/base', 'SELECT n AS n, "x" AS more FROM [1, 2] AS n');
  await put('/views/picks', 'SELECT n FROM base');
  await put('/views/base?replace=true', 'SELECT n AS n FROM [3] AS n');
  expect(await query('picks')).toEqual([200, '3\n']);
  await put('/views/base?replace=true', 'SELECT n AS n FROM ["a"] AS n');
  expect(await query('picks')).toEqual(invalid('view picks was collection(int) when it was saved and is collection(string) now'));
  await put('/views/picks?replace=true', 'SELECT n FROM base');
  expect(await query('picks')).toEqual([200, '"a"\n']);
});

test('a view cannot use itself, alone or through others', async () => {
  expect(await put('/views/me', '[me]')).toEqual(invalid(expect.stringContaining('me') as string));
  await put('/views/start', '1');
  await put('/packages/through', 'x := start');
  await put('/views/ends', 'FROM through IMPORT x; x');
  const cycle = 'view start uses itself: view start → view ends → package through → view start';
  const [status, body] = await put('/views/start?replace=true', 'ends');
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(cycle)]);
  expect(await query('start')).toEqual([200, '1\n']);
});

test('of two texts that are replaced at the same time to use each other, one is refused with the cycle', async () => {
  const race = async (round: number): Promise<void> => {
    const [a, b] = [`left_${round}`, `right_${round}`];
    const isOfViews = round % 2 === 0;
    const path = (name: string) => `/${isOfViews ? 'views' : 'packages'}/${name}`;
    for (const name of [a, b]) await put(path(name), isOfViews ? '1' : 'x := 1');
    const using = (name: string) => (isOfViews ? name : `FROM ${name} IMPORT x AS y; x := y`);
    const answers = await Promise.all([put(`${path(a)}?replace=true`, using(b)), put(`${path(b)}?replace=true`, using(a))]);
    expect(answers.map(([status]) => status)).toEqual(expect.arrayContaining([200, 400]));
    expect(JSON.stringify(answers.find(([status]) => status === 400))).toMatch(/(?:uses|imports) itself: /);
    expect(await query(isOfViews ? a : `FROM ${a} IMPORT x; x`)).toEqual([200, '1\n']);
  };
  for (let round = 0; round < 20; round += 1) await race(round);
});

test('a view ends in data', async () => {
  expect(await put('/views/f', '\\(x: int) -> x')).toMatchObject([400, { validationErrors: [{ message: expect.any(String) }] }]);
});

test('a filter on a view over views reaches the Parquet file, and only the columns that are used are read', async () => {
  const { body } = await supertest(executor.url)
    .post('/query')
    .set({ Authorization: `Bearer ${ann}`, 'X-SVC-output-format': 'parquet-raw', 'Content-Type': 'text/plain' })
    .send('SELECT n AS id, "name " + n AS name, n * 1.5 AS score FROM RANGE(0, 50000) AS n')
    .responseType('blob');
  await writeFile(join(executor.root, 'many.parquet'), body as Buffer);
  await put('/views/many', 'READ("file:many.parquet")');
  await put('/views/halved', 'SELECT id AS key, name, score / 2 AS half FROM many');
  const text = 'SELECT name FROM halved WHERE key = 40001';
  expect(await query(text)).toEqual([200, '"name 40001"\n']);
  // The link through which a query reads the file is removed after the query.
  const file = `'${join(executor.root, 'many.parquet')}'`;
  const sql = (executor.statements.at(-1) ?? '').replaceAll(/'[^']*\/copies\/\w+'/g, file);
  expect(sql).toContain(file);
  const lease = await executor.engine.lease(AbortSignal.timeout(60_000));
  try {
    const [row] = await runStatement(lease, { sql: `EXPLAIN ${sql}`, signal: AbortSignal.timeout(60_000) });
    const plan = JSON.stringify(row).replaceAll(/(?:\\n|[│─\s])+/g, ' ');
    expect(plan).toMatch(/READ_PARQUET.* Projections: name Filters: id=40001 /);
    expect(plan).not.toContain('FILTER ');
  } finally {
    await lease.release();
  }
});

test('the log names those who use what is deleted', async () => {
  await put('/tables/basis', { type: 'collection(int)' });
  await put('/packages/lib', 'rows := basis');
  await put('/views/top', 'FROM lib IMPORT rows; rows');
  await put('/views/over', 'top');
  const since = executor.log.length;
  for (const path of ['/table/basis', '/packages/lib', '/views/top', '/views/over'])
    expect(await answer('delete', path)).toEqual([204, '']);
  const lines = executor.log
    .slice(since)
    .map(({ level, msg, view, table, package: code, users }) => ({ level, msg, name: view ?? table ?? code, users }));
  expect(lines).toEqual([
    { level: 'warn', msg: 'a table was deleted that others use', name: 'basis', users: [{ kind: 'package', name: 'lib' }] },
    { level: 'warn', msg: 'a package was deleted that others use', name: 'lib', users: [{ kind: 'view', name: 'top' }] },
    { level: 'warn', msg: 'a view was deleted that others use', name: 'top', users: [{ kind: 'view', name: 'over' }] },
  ]);
});
