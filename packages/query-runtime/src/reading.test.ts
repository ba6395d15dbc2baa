import { gzipSync } from 'node:zlib';

import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
});
afterAll(() => at.close());

describe('READ_TEXT, READ_LINES, READ_BINARY', () => {
  beforeAll(async () => {
    await at.write('a.txt', '\uFEFFone, "é"\r\n\r\n\tlast');
    await at.write('a.txt.gz', gzipSync('packed\nlines\n'));
    await at.write('latin.txt', Buffer.from('caf\xe9\nx\n', 'latin1'));
    await at.write('utf16.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('wide\ntext', 'utf16le')]));
  });

  test.each([
    ['READ_TEXT("file:a.txt")', ['"one, \\"é\\"\\r\\n\\r\\n\\tlast"']],
    ['READ_LINES("file:a.txt")', ['"one, \\"é\\""', '""', '"\\tlast"']],
    ['HEX(READ_BINARY("file:latin.txt"))', ['"636166e90a780a"']],
    ['READ_TEXT("file:a.txt.gz")', ['"packed\\nlines\\n"']],
    ['HEX(READ_BINARY("file:a.txt.gz"))', ['"7061636b65640a6c696e65730a"']],
    ['SELECT UPPER(l) FROM READ_LINES("file:a.txt.gz") l', ['"PACKED"', '"LINES"']],
    ['READ_LINES("file:latin.txt", encoding := "Latin-1")', ['"café"', '"x"']],
    ['READ_LINES("file:utf16.txt")', ['"wide"', '"text"']],
    ['READ_TEXT("file:utf16.txt", encoding := "utf-16")', ['"wide\\ntext"']],
    ['LEN(READ_TEXT("file:latin.txt", encoding := "windows-1252"))', ['7']],
  ])('%s', async (query, lines) => {
    expect(await at.run(query)).toEqual(lines);
  });

  it('say which bytes are no text', async () => {
    expect(await at.run('READ_TEXT("file:latin.txt")')).toEqual([expect.stringMatching(/^! file:latin\.txt: .*UTF-8/i)]);
    expect(await at.run('READ_LINES("file:a.txt.gz", encoding := "utf-16")')).toEqual([expect.stringMatching(/^! .*utf-16/)]);
  });
});

describe('options', () => {
  beforeAll(() => at.write('o.csv', 'a;b\n1;2\n'));

  test.each([
    ['READ_CSV("file:o.csv", delimeter := ";")', '! unknown option: delimeter, did you mean delimiter? at delimeter'],
    ['READ_CSV("file:o.csv", delimiter := ";;")', '! option delimiter must be one character other than a line break but got ";;" at ";;"'],
    ['READ_CSV("file:o.csv", skip := -1)', '! option skip must be a number of lines, 0 or more but got -1 at -1'],
    [
      'READ_CSV("file:o.csv", on_error := "skipp")',
      '! option on_error must be "fail", "null" or "skip" but got "skipp", did you mean "skip"? at "skipp"',
    ],
    ['READ_CSV("file:o.csv", skip := 1, skip := 2)', '! option skip is given more than once at skip'],
    [
      'READ_JSON("file:o.csv", delimiter := ";")',
      '! unknown option: delimiter, expected one of sample_size, encoding, on_error, file_name, http_method, http_headers, http_args, http_body, cache at delimiter',
    ],
    [
      'READ_BINARY("file:o.csv", encoding := "utf-8")',
      '! unknown option: encoding, expected one of http_method, http_headers, http_args, http_body, cache at encoding',
    ],
    ['READ_TEXT("file:o.csv" AS string)', '! READ_TEXT takes no AS: its type is fixed at "file:o.csv"'],
    ['SELECT READ_CSV("file:o.csv", skip := x) FROM [1] x', '! option skip must be constant at x'],
    [
      'READ("file:o.csv", row_tag := "a")',
      '! option row_tag has no meaning for csv: it is one of xml at READ("file:o.csv", row_tag := "a")',
    ],
    [
      'READ_LINES("file:o.csv", file_name := true)',
      '! unknown option: file_name, expected one of encoding, http_method, http_headers, http_args, http_body, cache at file_name',
    ],
  ])('%s', async (query, message) => {
    expect(await at.run(query)).toEqual([message]);
  });

  it('may be put together of constants', async () => {
    expect(await at.run('sep := ";"; name := "o" + ".csv"; READ_CSV("file:" || name, delimiter := sep)')).toEqual(['{"a":1,"b":2}']);
  });
});

describe('TRY_READ', () => {
  beforeAll(async () => {
    await at.write('good.csv', 'a,b\n1,x\n');
    await at.write('bad.csv', `a,b\n${'1,x\n'.repeat(30)}oops,y\n`);
    await at.write('bad.json', '{"a":');
  });

  test.each([
    ['TRY_READ("file:none.csv")', ['null'], 'any nullable'],
    ['TRY_READ("file:none.csv" AS collection(record(a: int)))', ['null'], 'collection(record(a: int)) nullable'],
    ['TRY_READ("file:good.csv")', ['[{"a":1,"b":"x"}]'], 'collection(record(a: int, b: string)) nullable'],
    ['TRY_READ_JSON("file:bad.json")', ['null'], 'any nullable'],
    ['TRY_READ_TEXT("file:none.txt")', ['null'], 'any nullable'],
    ['COALESCE(TRY_READ("file:none.csv" AS collection(record(a: int))), [(a: 7)])', ['{"a":7}'], 'collection(record(a: int))'],
    ['SELECT a FROM TRY_READ("file:good.csv")', ['1'], 'collection(int)'],
  ])('%s', async (query, lines, type) => {
    expect(await at.run(query)).toEqual(lines);
    expect(await at.typeOf(query)).toBe(type);
  });

  it('is an error where the query asks for what cannot be', async () => {
    expect(await at.run('TRY_READ("nonsense")')).toEqual([expect.stringMatching(/^! 'nonsense' is not a location/)]);
    expect(await at.run('TRY_READ("file:good.csv", sheet := "x")')).toEqual([expect.stringMatching(/^! option sheet has no meaning/)]);
  });

  it('sees a file that comes or goes', async () => {
    const query = 'TRY_READ("file:later.csv" AS collection(record(a: int)))';
    expect(await at.run(query)).toEqual(['null']);
    await at.write('later.csv', 'a\n1\n');
    expect(await at.run(query)).toEqual(['[{"a":1}]']);
  });

  it('leaves bad rows to on_error', async () => {
    const read = (options: string): string => `TRY_READ_CSV("file:bad.csv"${options})`;
    expect(await at.run(read(' AS collection(record(a: int, b: string))'))).toEqual([expect.stringMatching(/^! file:bad\.csv: line 32/)]);
    expect(await at.run(read(', sample_size := 10'))).toEqual([expect.stringMatching(/^! file:bad\.csv: line 32/)]);
    expect(await at.run(`LEN(${read(' AS collection(record(a: int, b: string)), on_error := "skip"')})`)).toEqual(['30']);
  });
});

describe('bad data', () => {
  const told = 'AS collection(record(a: int nullable, b: string nullable))';
  beforeAll(async () => {
    await at.write('n/1.csv', 'a,b\n1,x\n');
    await at.write('n/2.csv', 'a,b\n2,"y\nz"\n\n1.5,w\n');
    await at.write('three.csv', 'a,b\n1,2\n1,2,3\n');
    await at.write('n.json', '{"p":{"n":[1]}}\n{"p":{"n":[2,"x"]}}\n{"p":{"n":[3]}}\n');
    await at.write('d.csv', 'a,b\n1,2.5\nx,oops\n');
  });

  it('names file, line and column', async () => {
    const read = `READ("file:n/*.csv" ${told})`;
    expect(await at.run(read)).toEqual([`! file:n/2.csv: line 5, column a: '1.5' is no int at ${read}`]);
    expect(await at.run(`SELECT b FROM ${read}`)).toEqual(['"x"', '"y\\nz"', '"w"']);
    const native = 'READ("file:d.csv" AS collection(record(b: double)))';
    expect(await at.run(native)).toEqual([`! file:d.csv: line 3, column b: 'oops' is no double at ${native}`]);
    const three = 'READ("file:three.csv" AS collection(record(a: int)))';
    expect(await at.run(three)).toEqual([expect.stringMatching(/^! file:three\.csv: line 3: expected 2 columns but found 3/)]);
  });

  it('is NULL, or skipped with its row, where that is wanted', async () => {
    expect(await at.run(`READ("file:n/*.csv" ${told}, on_error := "null")`)).toEqual([
      '{"a":1,"b":"x"}',
      '{"a":2,"b":"y\\nz"}',
      '{"a":null,"b":"w"}',
    ]);
    expect(await at.run(`READ("file:n/*.csv" ${told}, on_error := "skip")`)).toEqual(['{"a":1,"b":"x"}', '{"a":2,"b":"y\\nz"}']);
  });

  it('names the path within JSON, and its line', async () => {
    const read = 'READ("file:n.json" AS collection(record(p: record(n: collection(int)))))';
    expect(await at.run(read)).toEqual([`! file:n.json: line 2: p.n[]: 'x' is no int at ${read}`]);
    expect(await at.run(read.replace(')))))', '))))), on_error := "skip")').replace('))))), on', ')))), on'))).toEqual([
      '{"p":{"n":[1]}}',
      '{"p":{"n":[3]}}',
    ]);
  });
});

describe('integers of CSV whose type comes from a sample', () => {
  const rows = Array.from({ length: 30 }, (_, i) => `${i}`);
  const read = (file: string): string => `READ("file:${file}", sample_size := 10)`;

  it('are read in any notation', async () => {
    await at.write('integers.csv', ['n', ...rows, '+7', ' 8', '9.0', '1e2', '', '-0', '9007199254740991'].join('\n'));
    expect(await at.typeOf(read('integers.csv'))).toBe('collection(record(n: long nullable))');
    expect(await at.run(`[SELECT n FROM ${read('integers.csv')} WHERE n > 28 OR n = 0 OR n = 7 OR n = 8 OR n = 9]`)).toEqual([
      '[0,7,8,9,29,7,8,9,100,0,9007199254740991]',
    ]);
  });

  it.each(['1.5', '15e-1', '-0.25', 'x', '0x1F', 'NaN', 'Infinity', '1 2', '1e400'])('fail at %s', async (cell) => {
    const file = `integer ${cell}.csv`;
    await at.write(file, ['n,m', ...rows.map((n) => `${n},1`), `${cell},1`].join('\n'));
    const failure = [expect.stringMatching(`^! file:${file}: line 32, column n: '${cell}' is no long`)];
    expect(await at.run(read(file))).toEqual(failure);
    expect(await at.run(`SELECT SUM(n) FROM ${read(file)}`)).toEqual(failure);
    expect(await at.run(`SELECT SUM(m) FROM ${read(file)}`)).toEqual(['31']);
  });

  it.each(['9007199254740993', '-9223372036854775808', '9223372036854775807.4', '1e17'])(
    'fail at %s, which no double holds, where the sample has no such number',
    async (cell) => {
      const file = `long ${cell}.csv`;
      await at.write(file, ['n', ...rows, cell].join('\n'));
      expect(await at.run(read(file))).toEqual([
        expect.stringMatching(
          `^! file:${file}: line 32, column n: '${cell}' has more digits than the numbers in the sample that the type comes from: sample_size := -1`,
        ),
      ]);
    },
  );

  it('are exact where the sample has large ones, or all of the data is looked at', async () => {
    const large = ['9007199254740993', '-9223372036854775808', '9223372036854775807'];
    await at.write('large.csv', ['n', ...large, ...rows, ...large].join('\n'));
    expect(await at.run(`SELECT n FROM ${read('large.csv')} WHERE n NOT BETWEEN 0 AND 100`)).toEqual([...large, ...large]);
    await at.write('late.csv', ['n', ...rows, ...large].join('\n'));
    expect(await at.run('SELECT n FROM READ("file:late.csv", sample_size := -1) WHERE n NOT BETWEEN 0 AND 100')).toEqual(large);
    expect(await at.run('SELECT n FROM READ("file:late.csv" AS collection(record(n: long))) WHERE n NOT BETWEEN 0 AND 100')).toEqual(large);
  });

  it('are looked at anew when the file changes', async () => {
    const query = `SELECT COUNT(n) FROM ${read('changing.csv')}`;
    await at.write('changing.csv', ['n', ...rows].join('\n'));
    expect(await at.run(query)).toEqual(['30']);
    await at.write('changing.csv', ['n', ...rows, '2.5'].join('\n'));
    expect(await at.run(query)).toEqual([expect.stringMatching(/^! file:changing\.csv: line 32, column n: '2.5' is no long/)]);
  });
});

it('refuses a told type of which two fields are the same column', async () => {
  await at.write('twice.csv', 'a\n1\n');
  expect(await at.run('READ("file:twice.csv" AS collection(record(a: double, A: string)))')).toEqual([
    expect.stringMatching('the fields a and A are both the column a'),
  ]);
});

describe('key=value folders and file_name', () => {
  beforeAll(async () => {
    await at.write('s/year=2023/land=fr/a.csv', 'n\n1\n');
    await at.write('s/year=2024/land=__HIVE_DEFAULT_PARTITION__/b.csv', 'n\n2\n');
    await at.write('s/year=2024/land=de%20x/c.csv', 'n\n3\n');
    await at.write('j/day=2024-01-02/a.json', '[{"x":1}]');
  });

  it('add columns after the file’s own', async () => {
    expect(await at.typeOf('READ("file:s/**/*.csv")')).toBe('collection(record(n: int, year: int, land: string nullable))');
    expect(await at.run('READ("file:s/**/*.csv")')).toEqual([
      '{"n":1,"year":2023,"land":"fr"}',
      '{"n":2,"year":2024,"land":null}',
      '{"n":3,"year":2024,"land":"de x"}',
    ]);
    expect(await at.run('SELECT n FROM READ("file:s/**/*.csv") WHERE year = 2024')).toEqual(['2', '3']);
    expect(await at.run('READ("file:j/*/a.json", file_name := true)')).toEqual([
      '{"x":1,"day":"2024-01-02","file_name":"file:j/day=2024-01-02/a.json"}',
    ]);
  });

  it('are taken where a told type names them', async () => {
    const query = 'READ("file:s/**/*.csv" AS collection(record(year: long, n: string)), file_name := true)';
    expect((await at.run(query))[0]).toBe('{"year":2023,"n":"1","file_name":"file:s/year=2023/land=fr/a.csv"}');
  });

  it('need rows that are records', async () => {
    await at.write('plain.json', '[1,2]');
    expect(await at.run('READ("file:plain.json", file_name := true)')).toEqual([
      expect.stringMatching(/^! file_name adds a field, but the rows are collection\(int\)/),
    ]);
  });
});

describe('marks and encodings', () => {
  it('are no part of the data', async () => {
    await at.write('bom.json', '\uFEFF{"a":1}\n{"a":2}\n');
    await at.write('bom.csv', '\uFEFFa,b\n1,2\n');
    await at.write('w.csv', Buffer.from('name,n\nM\xfcller,1\n', 'latin1'));
    await at.write('u16.json', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('[{"a":"é"}]', 'utf16le').swap16()]));
    expect(await at.run('READ("file:bom.json")')).toEqual(['{"a":1}', '{"a":2}']);
    expect(await at.run('READ("file:bom.csv")')).toEqual(['{"a":1,"b":2}']);
    expect(await at.run('READ("file:w.csv", encoding := "latin-1")')).toEqual(['{"name":"Müller","n":1}']);
    expect(await at.run('READ("file:u16.json")')).toEqual(['{"a":"é"}']);
    expect(await at.run('READ("file:w.csv")')).toEqual([expect.stringMatching(/^! file:w\.csv: .*UTF-8/)]);
  });

  it('may differ from file to file, as may compression', async () => {
    await at.write('mix/1.csv', 'a,b\n1,x\n');
    await at.write('mix/2.csv.gz', gzipSync('a,b\n2,y\n'));
    expect(await at.run('READ_CSV("file:mix/*")')).toEqual(['{"a":1,"b":"x"}', '{"a":2,"b":"y"}']);
  });
});

describe('a location that an argument says', () => {
  beforeAll(async () => {
    await at.write('of/lyon.csv', 'a,b\n1,2\n');
    await at.write('of/oslo.csv', 'a,b\n3,4\n');
  });
  const query = '\\(town: string) -> SELECT a FROM READ("file:of/" + town + ".csv" AS collection(record(a: int)))';

  it('is known when the query runs', async () => {
    expect(await at.typeOf(query)).toBe('(town: string) -> collection(int)');
    expect(await at.run(query, { town: 'lyon' })).toEqual(['1']);
    expect(await at.run(query, { town: 'oslo' })).toEqual(['3']);
    expect(await at.run(query, { town: '../../etc/passwd' })).toEqual([expect.stringMatching(/^! path not found/)]);
  });

  it('needs AS', async () => {
    const untyped = '\\(town: string) -> READ("file:of/" + town + ".csv")';
    const message = '! the type must be given with AS: it cannot be found out here at READ("file:of/" + town + ".csv")';
    expect(await at.typeOf(untyped)).toBe(message);
    expect(await at.run(untyped, { town: 'lyon' })).toEqual([message]);
  });

  it('may be a parameter of a function that is called with constants', async () => {
    const text = 'of(town: string) := READ("file:of/" + town + ".csv"); SELECT a FROM of("lyon") UNION ALL SELECT a FROM of("oslo")';
    expect(await at.run(text)).toEqual(['1', '3']);
  });

  it('cannot depend on rows', async () => {
    expect(await at.run('SELECT READ_TEXT("file:of/" + t) FROM ["a"] t')).toEqual(['! the location must be constant at "file:of/" + t']);
  });
});
