import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

/** Files written by pyarrow 26, since the engine cannot write decimals of more than 38 digits. */
const FILES = join(import.meta.dirname, 'testing/files');

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
  await at.write('folder/.keep', '');
  await at.write('h/year=2020/k=a/.keep', '');
  await at.write('h/year=2021/k=b%20c/.keep', '');
  await at.makeParquet('p.parquet', `SELECT * FROM (VALUES (1, 'x', 1.5::DOUBLE), (NULL, NULL, 2.5), (3, '30', 'NaN')) t(a, b, c)`);
});
afterAll(() => at.close());

describe('a told type', () => {
  test.each([
    [
      'READ("file:p.parquet" AS collection(record(c: double nullable, a: string nullable)))',
      ['{"c":1.5,"a":"1"}', '{"c":2.5,"a":null}', '{"c":null,"a":"3"}'],
    ],
    ['SELECT a + "!" FROM READ("file:p.parquet" AS collection(record(a: string nullable)))', ['"1!"', 'null', '"3!"']],
    ['SELECT A FROM READ("file:p.parquet" AS collection(record(A: long nullable, none: date nullable)))', ['1', 'null', '3']],
    ['READ("file:p.parquet" AS collection(record(none: date nullable))) [0]', ['{"none":null}']],
    ['SELECT c FROM READ("file:p.parquet" AS collection(record(c: any nullable)))', ['1.5', '2.5', 'null']],
  ])('%s', async (query, lines) => {
    expect(await at.run(query)).toEqual(lines);
  });

  test.each([
    ['record(b: int nullable)', "file:p.parquet: row 1, column b: 'x' is no int"],
    ['record(a: int)', 'file:p.parquet: row 2, column a: missing or null, and the type is not nullable'],
    ['record(b: string nullable, c: int nullable)', 'file:p.parquet: row 3, column c: NaN is no int'],
    ['record(none: int)', 'file:p.parquet: the file has no column none'],
    ['record(a: record(x: int) nullable)', 'file:p.parquet: column a: expected record(x: int) nullable but the file has int nullable'],
    ['int', 'file:p.parquet: expected collection(int) but Parquet is a collection of records'],
  ])('%s is an error that names file, row and column', async (row, message) => {
    const read = `READ("file:p.parquet" AS collection(${row}))`;
    expect(await at.run(`SELECT *\nFROM ${read}`)).toEqual([`! ${message} at ${read}`]);
  });

  it('is NULL, or skipped with its row, where that is wanted', async () => {
    const read = (onError: string, row: string): string => `READ("file:p.parquet" AS collection(${row}), on_error := "${onError}")`;
    expect(await at.run(read('null', 'record(b: int nullable)'))).toEqual(['{"b":null}', '{"b":null}', '{"b":30}']);
    expect(await at.run(read('skip', 'record(b: int nullable)'))).toEqual(['{"b":null}', '{"b":30}']);
    expect(await at.run(read('skip', 'record(a: int, b: string nullable)'))).toEqual(['{"a":1,"b":"x"}', '{"a":3,"b":"30"}']);
    expect(await at.run(`SELECT a FROM ${read('skip', 'record(a: int nullable, b: int nullable)')}`)).toEqual(['null', '3']);
    expect(await at.run(read('null', 'record(a: int)'))).toEqual([
      expect.stringMatching(/^! file:p\.parquet: row 2, column a: missing or null/),
    ]);
  });

  it('takes dates for timestamps as far as there are timestamps', async () => {
    await at.makeParquet('far.parquet', `SELECT unnest([DATE '2024-01-02', DATE '300000-01-01']) AS d`);
    const read = (onError: string): string =>
      `READ("file:far.parquet" AS collection(record(d: timestamp nullable)), on_error := "${onError}")`;
    expect(await at.run(read('null'))).toEqual(['{"d":"2024-01-02T00:00:00.000"}', '{"d":null}']);
    expect(await at.run(read('skip'))).toEqual(['{"d":"2024-01-02T00:00:00.000"}']);
    expect(await at.run(read('fail'))).toEqual([
      expect.stringMatching(/^! file:far\.parquet: row 2, column d: 300000-01-01 is no timestamp/),
    ]);
  });

  it('fails in a TRY_READ too for a row that does not fit', async () => {
    expect(await at.run('TRY_READ("file:p.parquet" AS collection(record(b: int nullable)))')).toEqual([
      expect.stringMatching(/^! file:p\.parquet: row 1, column b: 'x' is no int/),
    ]);
    expect(await at.run('LEN(TRY_READ("file:p.parquet" AS collection(record(b: string nullable))))')).toEqual(['3']);
  });

  it('casts within what is nested', async () => {
    await at.makeParquet('n.parquet', `SELECT {'p': {'q': DATE '2024-01-02'}} AS s, [{'x': 1::UBIGINT}, NULL] AS l, MAP {'k': 1} AS m`);
    const told = 'record(s: record(p: record(q: string nullable, z: int nullable)), l: collection(record(x: long) nullable), m: any)';
    expect(await at.run(`READ("file:n.parquet" AS collection(${told}))`)).toEqual([
      '{"s":{"p":{"q":"2024-01-02","z":null}},"l":[{"x":1},null],"m":[{"key":"k","value":1}]}',
    ]);
    const unfit = 'READ("file:n.parquet" AS collection(record(m: collection(record(key: int, value: int)))))';
    expect(await at.run(unfit)).toEqual([
      `! file:n.parquet: row 1, column m: [{"key":"k","value":1}] is no collection(record(key: int, value: int)) at ${unfit}`,
    ]);
  });
});

describe('several files', () => {
  const make = async (name: string, ...queries: string[]): Promise<void> => {
    await at.write(`${name}/.keep`, '');
    for (const [i, sql] of queries.entries()) await at.makeParquet(`${name}/${i + 1}.parquet`, sql);
  };

  test.each([
    ['lacks', ["SELECT 1 AS a, 'x' AS b", 'SELECT 2 AS a'], 'a: int nullable, b: string nullable', ['{"a":1,"b":"x"}', '{"a":2,"b":null}']],
    ['gains', ['SELECT 2 AS a', "SELECT 1 AS a, 'x' AS b"], 'a: int nullable, b: string nullable', ['{"a":2,"b":null}', '{"a":1,"b":"x"}']],
    [
      'turned',
      ['SELECT 1 AS a, 2 AS b', 'SELECT 20 AS b, 10 AS a'],
      'a: int nullable, b: int nullable',
      ['{"a":1,"b":2}', '{"a":10,"b":20}'],
    ],
    [
      'wider',
      ['SELECT 1 AS a', 'SELECT 1099511627776 AS a', 'SELECT 3 AS a'],
      'a: long nullable',
      ['{"a":1}', '{"a":1099511627776}', '{"a":3}'],
    ],
    ['mixed', ['SELECT 1 AS a', "SELECT 'x' AS a"], 'a: any nullable', ['{"a":1}', '{"a":"x"}']],
    ['scales', ['SELECT 1.5::DECIMAL(4,1) AS a', 'SELECT 2.255::DECIMAL(9,3) AS a'], 'a: decimal nullable', ['{"a":1.5}', '{"a":2.255}']],
    [
      'nested',
      ["SELECT [{'x': 1}] AS a", "SELECT [{'y': 'z', 'x': 2::BIGINT}] AS a"],
      'a: collection(record(x: long nullable, y: string nullable) nullable) nullable',
      ['{"a":[{"x":1,"y":null}]}', '{"a":[{"x":2,"y":"z"}]}'],
    ],
  ])('%s: fields of the same name are one', async (name, queries, fields, lines) => {
    await make(name, ...queries);
    expect(await at.typeOf(`READ("file:${name}/*.parquet")`)).toBe(`collection(record(${fields}))`);
    expect(await at.run(`READ("file:${name}/*.parquet")`)).toEqual(lines);
  });

  it('take the type of a column from those that have values', async () => {
    await make('unknown', "SELECT 3 AS a, 'x' AS n");
    const file = await readFile(join(FILES, 'nulls-and-nanoseconds.parquet'));
    await at.write('unknown/2.parquet', file);
    await at.write('alone.parquet', file);
    const query = (name: string): string => `SELECT a, n FROM READ("file:${name}.parquet")`;
    expect(await at.typeOf(query('unknown/*'))).toBe('collection(record(a: int nullable, n: string nullable))');
    expect(await at.run(query('unknown/*'))).toEqual(['{"a":3,"n":"x"}', '{"a":1,"n":null}', '{"a":2,"n":null}']);
    expect(await at.typeOf(query('alone'))).toBe('collection(record(a: int nullable, n: int nullable))');
    expect(await at.run(query('alone'))).toEqual(['{"a":1,"n":null}', '{"a":2,"n":null}']);
  });

  it('are each held to a told type', async () => {
    await make('told', 'SELECT 1 AS a', "SELECT * FROM (VALUES ('7'), ('x')) t(a)");
    const read = 'READ("file:told/*.parquet" AS collection(record(a: int)))';
    expect(await at.run(read)).toEqual([`! file:told/2.parquet: row 2, column a: 'x' is no int at ${read}`]);
    expect(await at.run('READ("file:told/*.parquet" AS collection(record(a: int)), on_error := "skip", file_name := true)')).toEqual([
      '{"a":1,"file_name":"file:told/1.parquet"}',
      '{"a":7,"file_name":"file:told/2.parquet"}',
    ]);
  });

  it('that break off are named', async () => {
    await make('broken', "SELECT repeat('some text ', 50) || range AS a FROM range(2000)", 'SELECT 1::VARCHAR AS a');
    const path = join(at.root, 'broken/1.parquet');
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0xff, 100, 200));
    const read = 'READ("file:broken/*.parquet")';
    expect(await at.run(`SELECT MAX(a) FROM ${read}`)).toEqual([`! file:broken/1.parquet: the file cannot be read as Parquet at ${read}`]);
  });
});

describe('key=value folders and file_name', () => {
  beforeAll(async () => {
    await at.makeParquet('h/year=2020/k=a/1.parquet', 'SELECT 1 AS a, 0 AS year');
    await at.makeParquet('h/year=2021/k=b%20c/1.parquet', "SELECT 2 AS a, 'own' AS file_name");
  });

  it('stand after the files’ own columns, and in place of those of the same name', async () => {
    expect(await at.typeOf('READ("file:h/**/*.parquet", file_name := true)')).toBe(
      'collection(record(a: int nullable, year: int, k: string, file_name: string))',
    );
    expect(await at.run('READ("file:h/**/*.parquet", file_name := true)')).toEqual([
      '{"a":1,"year":2020,"k":"a","file_name":"file:h/year=2020/k=a/1.parquet"}',
      '{"a":2,"year":2021,"k":"b c","file_name":"file:h/year=2021/k=b%20c/1.parquet"}',
    ]);
  });

  test.each([
    ['record(year: short, k: any)', ['{"year":2020,"k":"a"}', '{"year":2021,"k":"b c"}']],
    ['record(year: decimal, k: string nullable)', ['{"year":2020,"k":"a"}', '{"year":2021,"k":"b c"}']],
    ['record(k: int)', ["! file:h/year=2020/k=a/1.parquet: column k: 'a' is no int"]],
    ['record(year: byte)', ["! file:h/year=2020/k=a/1.parquet: column year: '2020' is no byte"]],
    ['record(k: collection(int))', ["! file:h/year=2020/k=a/1.parquet: column k: 'a' is no collection(int)"]],
  ])('are held to a told type: %s', async (row, lines) => {
    const read = `READ("file:h/**/*.parquet" AS collection(${row}))`;
    expect(await at.run(read)).toEqual(lines.map((line) => (line.startsWith('! ') ? `${line} at ${read}` : line)));
  });

  it('are NULL where they are not of a told type, and that is wanted', async () => {
    const read = 'READ("file:h/**/*.parquet" AS collection(record(a: int nullable, k: int nullable)), on_error := "null")';
    expect(await at.run(read)).toEqual(['{"a":1,"k":null}', '{"a":2,"k":null}']);
  });
});

describe('on_error := "skip" of key=value folders', () => {
  beforeAll(async () => {
    await at.write('k/n=x/1.csv', 'a\n1\n');
    await at.write('k/n=5/2.csv', 'a\n2\nb\n');
    await at.write('k/n=__HIVE_DEFAULT_PARTITION__/3.csv', 'a\n3\n');
    await at.write('k/n=2024-01-02/4.csv', 'a\n4\n');
  });

  const read = (row: string, options = ''): string => `READ("file:k/**/*.csv" AS collection(${row}), on_error := "skip"${options})`;

  test.each([
    ['record(a: int, n: int)', '', ['{"a":2,"n":5}']],
    ['record(a: int, n: int nullable)', '', ['{"a":2,"n":5}', '{"a":3,"n":null}']],
    ['record(a: string, n: timestamp)', '', ['{"a":"4","n":"2024-01-02T00:00:00.000"}']],
    ['record(a: int)', '', ['{"a":2}', '{"a":3}', '{"a":1}', '{"a":4}']],
    ['record(a: int, n: int)', ', file_name := true', ['{"a":2,"n":5,"file_name":"file:k/n=5/2.csv"}']],
    ['record(a: int, n: time)', '', []],
    ['record(a: int, n: time)', ', file_name := true', []],
  ])('leaves the rows of files out whose name is no value of the type: %s%s', async (row, options, lines) => {
    expect((await at.run(read(row, options))).toSorted()).toEqual([...lines].sort());
  });

  it('has a type where no row is left', async () => {
    expect(await at.typeOf(read('record(a: int, n: time)', ', file_name := true'))).toBe(
      'collection(record(a: int, n: time, file_name: string))',
    );
    expect(await at.run(`SELECT COUNT(*) FROM ${read('record(a: int, n: time)')}`)).toEqual(['0']);
  });
});

it('cuts nanoseconds off', async () => {
  await at.write('nanoseconds.parquet', await readFile(join(FILES, 'nulls-and-nanoseconds.parquet')));
  expect(await at.run('SELECT t, s FROM READ("file:nanoseconds.parquet")')).toEqual([
    '{"t":"23:59:59.999999","s":"1970-01-01T00:00:00.000"}',
    '{"t":"00:00:00.000001","s":"1970-01-01T00:00:00.000001"}',
  ]);
});

describe('decimals of more digits than there are', () => {
  beforeAll(async () => {
    for (const name of ['decimal-50.parquet', 'decimal-76-nested.parquet']) await at.write(name, await readFile(join(FILES, name)));
  });

  test.each([
    ['SELECT n FROM READ("file:decimal-50.parquet" AS collection(record(n: long)))', ['1', '2', '3']],
    ['READ("file:decimal-50.parquet")', ['! file:decimal-50.parquet: column d: the file has decimals of 50 digits, and 38 are the most']],
    [
      'READ("file:decimal-50.parquet" AS collection(record(d: double nullable)))',
      ['! file:decimal-50.parquet: column d: the file has decimals of 50 digits, and 38 are the most'],
    ],
    [
      'READ("file:decimal-76-nested.parquet" AS collection(record(l: any nullable)))',
      ['! file:decimal-76-nested.parquet: column l: the file has decimals of 40 digits, and 38 are the most'],
    ],
    [
      'READ("file:decimal-76-nested.parquet" AS collection(record(s: any nullable)))',
      ['! file:decimal-76-nested.parquet: column s: the file has decimals of 39 digits, and 38 are the most'],
    ],
    ['TRY_READ("file:decimal-50.parquet")', ['null']],
  ])('%s', async (query, lines) => {
    expect((await at.run(query)).map((line) => line.replace(/ at READ[\s\S]*$/, ''))).toEqual(lines);
  });
});

it('takes a JSON null for NULL', async () => {
  await at.makeParquet('j.parquet', `SELECT unnest(['null'::JSON, '{"a":1}'::JSON]) AS j`);
  expect(await at.run('SELECT j IS NULL FROM READ("file:j.parquet")')).toEqual(['true', 'false']);
});

describe('decimals of files with other scales than the common one', () => {
  beforeAll(async () => {
    await at.makeParquet(
      'prices.parquet',
      `SELECT id, price::DECIMAL(15,2) AS price, rate::DECIMAL(18,6) AS rate, wide::DECIMAL(38,0) AS wide, fine::DECIMAL(38,21) AS fine, many::UBIGINT AS many,
         [price::DECIMAL(15,2)] AS list, {'p': price::DECIMAL(15,2), 'q': [{'r': rate::DECIMAL(18,6)}]} AS pack, map {price::DECIMAL(15,2): rate::DECIMAL(18,6)} AS pairs
       FROM (VALUES (1, '100.25', '1.000001', '12345678901234567890123456789012', '0.123456789012345678901', '9'),
         (2, '-0.05', '2.5', '3', '0.1', '18446744073709551615')) AS t(id, price, rate, wide, fine, many)
       UNION ALL SELECT 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL`,
    );
    await at.makeParquet('other-scale.parquet', 'SELECT 4 AS id, 7.125::DECIMAL(9,3) AS price');
  });
  const prices = 'READ("file:prices.parquet")';

  describe('are calculated with at their own', () => {
    test.each([
      ['rate * rate * rate', ['1.000003000003000001', '15.625', 'null']],
      ['price * (1 - price) * (1 + price)', ['-1007418.515625', '-0.049875', 'null']],
      ['-price * 2', ['-200.5', '0.1', 'null']],
      ['price / rate', ['100.2498997501002499', '-0.02', 'null']],
      ['price % 3', ['1.25', '-0.05', 'null']],
      ['many + 1', ['10', '18446744073709551616', 'null']],
      ['fine + 1', ['1.123456789012345679', '1.1', 'null']],
      ['fine * 1.5q', ['0.1851851835', '0.15', 'null']],
    ])('%s', async (item, lines) => {
      expect(await at.run(`SELECT ${item} FROM ${prices} ORDER BY id`)).toEqual(lines);
    });

    test.each([
      ['a query', `SELECT rate * rate * rate FROM (SELECT id, rate FROM ${prices}) ORDER BY id LIMIT 1`],
      ['a declaration', `p := ${prices}; SELECT x.rate * y.rate * x.rate FROM p x, p y WHERE x.id = 1 AND y.id = 1`],
      ['an outer join', `SELECT a.rate * b.rate * b.rate FROM ${prices} a LEFT JOIN ${prices} b ON a.id = b.id WHERE a.id = 1`],
      [
        'a correlated query',
        `SELECT (SELECT SUM(b.rate * a.rate * a.rate) FROM ${prices} b WHERE b.id = a.id) FROM ${prices} a WHERE a.id = 1`,
      ],
      ['a key of groups', `SELECT rate * rate * rate FROM ${prices} WHERE id = 1 GROUP BY rate`],
      ['an order', `SELECT rate * rate * rate FROM ${prices} WHERE id < 3 ORDER BY -rate * rate * rate DESC LIMIT 1`],
    ])('through %s', async (_, query) => {
      expect(await at.run(query)).toEqual(['1.000003000003000001']);
    });

    it('fails where a product has too many digits', async () => {
      expect(await at.run(`SELECT wide * wide FROM ${prices} WHERE id = 1`)).toEqual(['! decimal overflow at wide * wide']);
    });
  });

  describe('keep their digits beside others', () => {
    test.each([
      ['COALESCE(price, 1.125q)', ['100.25', '-0.05', '1.125']],
      ['COALESCE(many, 1.125q)', ['9', '18446744073709551615', '1.125']],
      ['CASE WHEN id = 1 THEN rate ELSE price END', ['1.000001', '-0.05', 'null']],
      ['IFF(id = 1, price, 0.005q)', ['100.25', '0.005', '0.005']],
      ['[price, rate, 0.125q]', ['[100.25,1.000001,0.125]', '[-0.05,2.5,0.125]', '[null,null,0.125]']],
      ['[(a: price), (a: rate)]', ['[{"a":100.25},{"a":1.000001}]', '[{"a":-0.05},{"a":2.5}]', '[{"a":null},{"a":null}]']],
      ['LEAST(price, rate)', ['1.000001', '-0.05', 'null']],
      ['LAG(price, 1, 0.125q) OVER (ORDER BY id)', ['0.125', '100.25', '-0.05']],
      ['price IN (100.251q, 100.249q)', ['false', 'false', 'null']],
      ['price BETWEEN 100.249q AND 100.2501q', ['true', 'false', 'null']],
      ['price = 100.251q OR many = 9.2q', ['false', 'false', 'null']],
      ['price > rate', ['true', 'false', 'null']],
      ['COALESCE(list[0], 1.125q)', ['100.25', '-0.05', '1.125']],
      ['COALESCE(pack.p, 1.125q)', ['100.25', '-0.05', '1.125']],
      ['[pack.p, pack.q[0].r]', ['[100.25,1.000001]', '[-0.05,2.5]', '[null,null]']],
      ['[pairs[0].key, pairs[0].value]', ['[100.25,1.000001]', '[-0.05,2.5]', '[null,null]']],
      [`COALESCE((SELECT SUM(x.price) FROM ${prices} x WHERE x.id = p.id), 0.125q)`, ['100.25', '-0.05', '0.125']],
      [`COALESCE((SELECT x.price FROM ${prices} x WHERE x.id = p.id)[0], 0.125q)`, ['100.25', '-0.05', '0.125']],
      ['ROUND(price, 1) + 0.001q', ['100.301', '-0.099', 'null']],
      ['TRY(COALESCE(price, 1.125q))', ['100.25', '-0.05', '1.125']],
    ])('%s', async (item, lines) => {
      expect(await at.run(`SELECT ${item} FROM ${prices} p ORDER BY id`)).toEqual(lines);
    });

    test.each([
      [
        'UNION ALL',
        `SELECT price FROM ${prices} UNION ALL SELECT rate FROM ${prices}`,
        ['100.25', '-0.05', 'null', '1.000001', '2.5', 'null'],
      ],
      [
        'UNION',
        `SELECT price AS p FROM ${prices} WHERE id = 1 UNION SELECT rate AS p FROM ${prices} WHERE id = 1 ORDER BY p`,
        ['{"p":1.000001}', '{"p":100.25}'],
      ],
      ['groups', `SELECT COALESCE(price, 0.125q) FROM ${prices} GROUP BY price ORDER BY price`, ['0.125', '-0.05', '100.25']],
      [
        'aggregates',
        `SELECT COALESCE(SUM(price), 0.125q) AS s, COALESCE(MAX(price), 0.125q) AS m FROM ${prices} WHERE id = 3`,
        ['{"s":0.125,"m":0.125}'],
      ],
      [
        'a query in FROM',
        `SELECT COALESCE(price, 0.125q) FROM (SELECT DISTINCT price FROM ${prices} ORDER BY price) x`,
        ['0.125', '-0.05', '100.25'],
      ],
      [
        'a row',
        `SELECT [p, (id: 9, price: 0.125q)] FROM (SELECT id, price FROM ${prices} WHERE id = 1) p`,
        ['[{"id":1,"price":100.25},{"id":9,"price":0.125}]'],
      ],
      [
        'a row of an outer join',
        `SELECT b.price FROM ${prices} a LEFT JOIN ${prices} b ON b.id = a.id + 1 ORDER BY a.id`,
        ['-0.05', 'null', 'null'],
      ],
      ['a choice', `IFF(1 = 1, (SELECT price FROM ${prices}), [0.125q])`, ['100.25', '-0.05', 'null']],
      [
        'files of other scales',
        `SELECT price FROM READ("file:*r*s*.parquet", file_name := true) WHERE file_name LIKE "%price%" OR file_name LIKE "%scale%" ORDER BY id`,
        ['100.25', '-0.05', 'null', '7.125'],
      ],
      [
        'other files',
        `SELECT a.price, b.price AS other FROM ${prices} a JOIN READ("file:other-scale.parquet") b ON a.price < b.price`,
        ['{"price":-0.05,"other":7.125}'],
      ],
    ])('in %s', async (_, query, lines) => {
      expect(await at.run(query)).toEqual(lines);
    });
  });

  describe('with more than 20 digits before the point', () => {
    test.each([
      [`SELECT wide FROM ${prices} ORDER BY wide DESC LIMIT 1`, ['12345678901234567890123456789012']],
      [`SELECT wide::string FROM ${prices} WHERE id = 1`, ['"12345678901234567890123456789012"']],
      [`SELECT wide::double FROM ${prices} WHERE id = 1`, ['1.2345678901234567e31']],
      [
        `SELECT a.id, a.wide FROM ${prices} a JOIN ${prices} b ON a.wide = b.wide ORDER BY a.id`,
        ['{"id":1,"wide":12345678901234567890123456789012}', '{"id":2,"wide":3}'],
      ],
      [`SELECT id FROM ${prices} WHERE wide = 12345678901234567890123456789012q`, ['1']],
      [
        `SELECT wide, COUNT(*) AS n FROM ${prices} GROUP BY wide ORDER BY wide`,
        ['{"wide":null,"n":1}', '{"wide":3,"n":1}', '{"wide":12345678901234567890123456789012,"n":1}'],
      ],
      [`SELECT COALESCE(wide, 1.5q) FROM ${prices} ORDER BY id`, ['12345678901234567890123456789012', '3', '1.5']],
      [`SELECT LEAST(wide, 1.5q) FROM ${prices}`, ['! decimal overflow at wide']],
    ])('%s', async (query, lines) => {
      expect(await at.run(query)).toEqual(lines);
    });
  });
});
