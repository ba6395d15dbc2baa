import { gzipSync, zstdCompressSync } from 'node:zlib';

import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
});
afterAll(() => at.close());

/** Returns the result lines of a query over the file `f`, or its message without the query's text. */
async function read(query: string): Promise<string> {
  return (await at.run(query)).map((line) => (line.startsWith('!') ? line.replace(/ at READ[\s\S]*$/, '') : line)).join(' ');
}

describe('CSV as it is written', () => {
  test.each([
    ['semicolons', 'a;b\n1,5;x\n', '', '{"a":"1,5","b":"x"}'],
    ['tabs', 'a\tb\n1\tx y\n', '', '{"a":1,"b":"x y"}'],
    ['bars', 'a|b\n1|x\n', '', '{"a":1,"b":"x"}'],
    ['single quotes', "a,b\n'x,1',2\n'it''s',3\n", '', `{"a":"x,1","b":2} {"a":"it's","b":3}`],
    ['backslashes', 'a,b\n"x \\"q\\" y",2\n', '', '{"a":"x \\"q\\" y","b":2}'],
    ['no header', '1,x\n2,y\n', '', '{"_1":1,"_2":"x"} {"_1":2,"_2":"y"}'],
    ['a header that is told', '1,x\n2,y\n', ', has_header := true', '{"1":2,"x":"y"}'],
    ['a header of nothing', 'a,,a\n1,2,3\n', '', '{"a":1,"_2":2,"a_2":3}'],
    ['lines to skip', 'made by x\na,b\n1,2\n', ', skip := 1', '{"a":1,"b":2}'],
    ['nulls', 'a,b\nNA,""\n-,x\n', ', nulls := ["NA", "-"]', '{"a":null,"b":""} {"a":null,"b":"x"}'],
    ['no nulls', 'a,b\n1,\n', ', nulls := []', '{"a":1,"b":""}'],
    ['empty lines', 'a,b\n\n1,2\n\n', '', '{"a":1,"b":2}'],
    ['empty lines before the header', '\n\na,b\n\n1,2\n', '', '{"a":1,"b":2}'],
    ['empty lines in CRLF before the header', '\r\na;b\r\n1;2\r\n', '', '{"a":1,"b":2}'],
    ['empty lines in CR before the header', '\r\ra,b\r1,2\r', '', '{"a":1,"b":2}'],
    ['lines to skip in CR', 'made by x\ra,b\r1,2\r', ', skip := 1', '{"a":1,"b":2}'],
    ['an empty line behind those to skip', 'made by x\n\na,b\n1,2\n', ', skip := 1', '{"a":1,"b":2}'],
    ['an empty line before a header of one column', '\nn\n1\n', '', '{"n":1}'],
    ['empty lines before rows without a header', '\n\n1,2\n3,4\n', '', '{"_1":1,"_2":2} {"_1":3,"_2":4}'],
    ['the line of an error behind empty lines', '\n\na,b\n1,2\n3\n', '', '! file:f.csv: line 5: expected 2 columns but found 1'],
    ['carriage returns', 'a,b\r1,x\r2,y\r', '', '{"a":1,"b":"x"} {"a":2,"b":"y"}'],
    ['line breaks in quotes', 'a,b\n"x\ny",2\n', '', '{"a":"x\\ny","b":2}'],
    [
      'a quote that is never closed',
      'a,b\n1,2\n"x,3\n4,5\n',
      '',
      '! file:f.csv: line 3: a quoted cell does not end, or there is text after the closing quote',
    ],
    [
      'lines that end differently',
      'a,b\r\n1,2\n',
      '',
      '! file:f.csv: the file cannot be read as CSV: do all its lines end alike, in LF or in CRLF?',
    ],
    ['a cell too few', 'a,b\n1,2\n3\n', '', '! file:f.csv: line 3: expected 2 columns but found 1'],
    ['nothing', '', '', ''],
    ['a header alone', 'a,b\n', '', ''],
  ])('%s', async (_, content, options, expected) => {
    await at.write('f.csv', content);
    expect(await read(`READ("file:f.csv"${options})`)).toBe(expected);
  });

  test.each([
    ['record(id: record(x: int))', '! file:f.csv: column id: a cell cannot be record(x: int)'],
    ['record(zz: int)', '! file:f.csv: the file has no column zz'],
    ['record(zz: int nullable, ID: decimal)', '{"zz":null,"ID":7}'],
    ['record(n: byte)', "! file:f.csv: line 2, column n: '300' is no byte"],
    ['record(id: any)', '{"id":"7"}'],
  ])('told %s', async (type, expected) => {
    await at.write('f.csv', 'id,n\n7,300\n');
    expect(await read(`READ("file:f.csv" AS collection(${type}))`)).toBe(expected);
  });
});

describe('dates and times in CSV and JSON', () => {
  test.each([
    [
      'csv',
      't\n2024-01-01T00:00Z\n2024-01-01 10:00+02\n2024-01-01T10:00:00.5Z\n',
      'timestamp',
      '"2024-01-01T00:00:00.000" "2024-01-01T08:00:00.000" "2024-01-01T10:00:00.500"',
    ],
    [
      'json',
      '{"t":"2024-01-01T00:00Z"}\n{"t":"2024-01-01T10:00-0130"}',
      'timestamp',
      '"2024-01-01T00:00:00.000" "2024-01-01T11:30:00.000"',
    ],
    ['csv', 't\n2024-01-01\ninfinity\n', 'date', "! file:f.csv: line 3, column t: 'infinity' is no date"],
    ['csv', 't\n-Infinity\n', 'timestamp', "! file:f.csv: line 2, column t: '-Infinity' is no timestamp"],
    ['csv', 't\n23:59:59\n24:00:00\n', 'time', "! file:f.csv: line 3, column t: '24:00:00' is no time"],
    ['csv', 't\n01:02:03\n1:00:00 PM\n', 'time', "! file:f.csv: line 3, column t: '1:00:00 PM' is no time"],
    ['csv', 't\n2024-01-01\n2024-01-02 x\n', 'date', "! file:f.csv: line 3, column t: '2024-01-02 x' is no date"],
    ['json', '{"t":"2024-01-01"}\n{"t":"infinity"}', 'date', "! file:f.json: line 2: t: 'infinity' is no date"],
    ['json', '{"t":"infinity"}', 'timestamp nullable', "! file:f.json: element 1: t: 'infinity' is no timestamp"],
    ['json', '{"t":"24:00:00"}', 'time nullable', "! file:f.json: element 1: t: '24:00:00' is no time"],
  ])('%s %s told %s', async (format, content, type, expected) => {
    await at.write(`f.${format}`, content);
    expect(await read(`SELECT t FROM READ("file:f.${format}" AS collection(record(t: ${type})))`)).toBe(expected);
  });

  it('have no value where on_error says so', async () => {
    await at.write('f.csv', 'd,t\ninfinity,24:00:00\n2024-01-01,01:02:03\n');
    const reading = 'READ("file:f.csv" AS collection(record(d: date nullable, t: time nullable))';
    expect(await read(`${reading}, on_error := "null")`)).toBe('{"d":null,"t":null} {"d":"2024-01-01","t":"01:02:03.000"}');
    expect(await read(`${reading}, on_error := "skip")`)).toBe('{"d":"2024-01-01","t":"01:02:03.000"}');
  });
});

const LINES = '{"a":1}\n{"a":\n{"a":3}\n';

describe('JSON', () => {
  test.each([
    ['a document', '{"a":1,"b":{"c":[1,null]},"d":{}}', '', '{"a":1,"b":{"c":[1,null]},"d":{}}'],
    ['an array', '[{"a":1},{"a":2.5,"b":null}]', '', '{"a":1.0,"b":null} {"a":2.5,"b":null}'],
    ['documents over several lines', '{\n"a": 1\n}\n{\n"a": 2\n}', '', '{"a":1} {"a":2}'],
    ['mixed kinds', '[{"a":1},{"a":"x"},{"a":[1]}]', '', '{"a":1} {"a":"x"} {"a":[1]}'],
    ['odd names', '{"a b":1,"":2,"a/b~":3,"A":4,"a":5}', '', '{"a b":1,"":2,"a/b~":3,"A":4,"a":5}'],
    ['records within records', `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`, '', `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`],
    ['arrays within arrays', `${'['.repeat(30)}1${']'.repeat(30)}`, '', `${'['.repeat(29)}1${']'.repeat(29)}`],
    ['a document that is malformed', '{"a":1,\n"b":}', '', '! file:f.json: line 2, column 5: malformed JSON: expected a value'],
    ['half a character', '{"a":"\\ud83d"}', '', '! file:f.json: line 1, column 6: malformed JSON: a bad escape in a string'],
    ['an array that is cut off', '[{"a":1}', '', '! file:f.json: malformed JSON: the file ends within its array'],
    ['an array that is cut off behind a number', '[1,2', '', '! file:f.json: malformed JSON: the file ends within its array'],
    ['a comma before the end of an array', '[{"a":1},\n]', '', '! file:f.json: line 2, column 1: malformed JSON: expected a value'],
    ['two commas in an array', '[1,,2]', '', '! file:f.json: line 1, column 4: malformed JSON: expected a value'],
    ['a comma before the first element', '[,1]', '', '! file:f.json: line 1, column 2: malformed JSON: expected a value'],
    ['a comma that is missing', '[{"a":1}\n{"a":2}]', '', '! file:f.json: line 2, column 1: malformed JSON: expected "," or "]"'],
    ['numbers in one line', '1 2', '', '! file:f.json: near element 2: malformed JSON: unexpected content after document'],
    ['nothing', ' \n', '', '! file:f.json: the file is empty'],
    ['a bad line that is skipped', LINES, ', on_error := "skip"', '{"a":1} {"a":3}'],
    [
      'a bad line that would be null',
      LINES,
      ', on_error := "null"',
      '! file:f.json: line 2: a: missing or null, and the type is not nullable',
    ],
    ['a bad line', LINES, '', '! file:f.json: line 4, column 1: malformed JSON: expected "," or "}"'],
    ['a fraction beyond the sample', '[{"a":1},{"a":2.5}]', ', sample_size := 1', "! file:f.json: element 2: a: '2.5' is no long"],
    ['no fraction beyond the sample', '[{"a":1},{"a":2.0}]', ', sample_size := 1', '{"a":1} {"a":2}'],
    [
      'a bad document beyond the sample',
      '{"a":1}\n{"a":é}\n{"a":2}\n',
      ', sample_size := 1',
      '! file:f.json: line 2, column 6: malformed JSON: expected a value',
    ],
    [
      'two documents in a line beyond the sample',
      '{"a":1}\n{"a":2} {"a":3}\n',
      ', sample_size := 1',
      '! file:f.json: line 2, column 9: malformed JSON: expected the end of the line',
    ],
  ])('%s', async (_, content, options, expected) => {
    await at.write('f.json', content);
    expect(await read(`READ("file:f.json"${options})`)).toBe(expected);
  });

  test.each([
    ['{"a":"7"}', 'record(a: int)', '{"a":7}'],
    ['{"a":1.9}', 'record(a: int)', '{"a":1}'],
    ['{"a":null}', 'record(a: int)', '! file:f.json: a: missing or null, and the type is not nullable'],
    ['{}', 'record(a: int nullable)', '{"a":null}'],
    ['[1,null]', 'collection(int)', '! file:f.json: element 2: missing or null, and the type is not nullable'],
    ['{"a":{"b":[1,"x"]}}', 'record(a: record(b: collection(int)))', "! file:f.json: a.b[]: 'x' is no int"],
    ['[{"a":"x"}]', 'collection(record(a: collection(int)))', '! file:f.json: element 1: a: expected a collection but got "x"'],
    ['[{"a":1},{"a":"x"}]', 'collection(record(a: record(b: int) nullable))', '! file:f.json: element 1: a: expected a record but got 1'],
    ['[["x"]]', 'collection(collection(record(z: int nullable)))', '! file:f.json: element 1: []: expected a record but got "x"'],
    ['[{"a":1}]', 'record(a: int)', '! file:f.json: expected record(a: int) but the file holds an array'],
    ['{"a":{"b":1},"c":[true]}', 'record(a: any, c: string)', '{"a":{"b":1},"c":"[true]"}'],
    ['{"t":"2024-01-02T10:00:00+02:00"}', 'record(t: timestamp)', '{"t":"2024-01-02T08:00:00.000"}'],
  ])('%s told %s', async (content, type, expected) => {
    await at.write('f.json', content);
    expect(await read(`READ("file:f.json" AS ${type})`)).toBe(expected);
  });

  test.each([
    ['{"a":true}\n{"a":"x"}', 'bool', "! file:f.json: line 2: a: 'x' is no bool"],
    ['{"a":1.5}\n{"a":[1]}', 'double nullable', "! file:f.json: line 2: a: '[1]' is no double"],
    ['{"a":1.5}\n{"a":"1e999x"}', 'float', "! file:f.json: line 2: a: '1e999x' is no float"],
    ['[{"a":"2024-01-01"},\n{"a":"2024-02-30"}]', 'date', "! file:f.json: element 2: a: '2024-02-30' is no date"],
    ['{"a":"10:00:00"}\n\n{"a":"25:00:00"}', 'time nullable', "! file:f.json: line 3: a: '25:00:00' is no time"],
    ['{"a":"2024-01-01"}\n{"a":"2024-01-02 x"}', 'date', "! file:f.json: line 2: a: '2024-01-02 x' is no date"],
    ['{"a":"10:00:00"}\n{"a":"1:00:00 PM"}', 'time', "! file:f.json: line 2: a: '1:00:00 PM' is no time"],
    ['{"a":"10:00:00"}\n{"a":"2024-01-01"}', 'time', "! file:f.json: line 2: a: '2024-01-01' is no time"],
    ['{"a":["2024-01-01"]}\n{"a":["2024-01-01","x"]}', 'collection(date)', "! file:f.json: line 2: a[]: 'x' is no date"],
  ])('%s with a told %s names what the engine converts by itself', async (content, type, expected) => {
    await at.write('f.json', content);
    expect(await read(`READ("file:f.json" AS collection(record(a: ${type})))`)).toBe(expected);
  });

  test.each([
    ['null', 'collection(record(a: int nullable, b: collection(int) nullable))', '{"a":1,"b":[2]} {"a":null,"b":null} {"a":null,"b":null}'],
    ['skip', 'collection(record(a: int nullable, b: collection(int) nullable))', '{"a":1,"b":[2]} {"a":null,"b":null}'],
    ['null', 'collection(record(a: int))', "! file:f.json: line 2: a: 'x' is no int"],
  ])('on_error %s, told %s', async (onError, type, expected) => {
    await at.write('f.json', '{"a":1,"b":[2]}\n{"a":"x","b":3}\n{"a":null}\n');
    expect(await read(`READ("file:f.json" AS ${type}, on_error := "${onError}")`)).toBe(expected);
  });
});

describe('files that are compressed', () => {
  test.each([
    ['csv', 'a,b\n', '1,2\n'],
    ['json', '[0', ',1'],
    ['jsonl', '{"a":1}\n', '{"a":1}\n'],
    ['txt', '1\n', 'line\n'],
  ])('are named where they break off: %s', async (format, first, next) => {
    const text = first + next.repeat(200_000) + (format === 'json' ? ']' : '');
    await at.write(`broken/1.${format}.gz`, format === 'json' ? gzipSync('[0]') : gzipSync(first));
    const count = (ending: string): Promise<string> =>
      read(`COUNT(READ${format === 'txt' ? '_LINES' : ''}("file:broken/*.${format}.${ending}"))`);
    await at.write(`broken/2.${format}.gz`, gzipSync(text));
    expect(await count('gz')).toBe(format === 'csv' ? '200000' : '200002');
    await at.write(`broken/2.${format}.gz`, gzipSync(text).subarray(0, -50));
    expect(await count('gz')).toBe(`! file:broken/2.${format}.gz: the file cannot be decompressed`);
    await at.write(`broken/3.${format}.zst`, zstdCompressSync(text).subarray(0, -5));
    expect(await count('zst')).toBe(`! file:broken/3.${format}.zst: the file cannot be decompressed`);
  });
});

describe('CSV files under a pattern', () => {
  it('must have the columns of the first, since they are read by their place', async () => {
    await at.write('turned/1.csv', 'a,b\n1,x\n');
    await at.write('turned/2.csv', 'b,a\ny,2\n');
    const message =
      '! file:turned/*.csv: line 1: column 1 is b in file:turned/2.csv, and a in file:turned/1.csv: files that are read as one must have the same';
    expect(await read('READ("file:turned/*.csv")')).toBe(message);
    expect(await read('READ("file:turned/*.csv" AS collection(record(a: string)), on_error := "null")')).toBe(message);
    await at.write('more/1.csv', 'a\n1\n');
    await at.write('more/2.csv.gz', gzipSync('a,b\n1,2\n'));
    expect(await read('READ("file:more/*")')).toMatch(
      /: line 1: the header has 2 columns in file:more\/2\.csv\.gz, and 1 in file:more\/1\.csv: /,
    );
  });

  it('must begin with as many empty lines as the first', async () => {
    await at.write('blank/1.csv', 'a,b\n1,x\n');
    await at.write('blank/2.csv', '\na,b\n2,y\n');
    const reason =
      ': the line is empty in file:blank/2.csv, and the header in file:blank/1.csv: files that are read as one must have the same';
    expect(await read('READ("file:blank/*.csv")')).toBe(`! file:blank/*.csv: line 1${reason}`);
    await at.write('blank/1.csv', '\na,b\n1,x\n');
    expect(await read('READ("file:blank/*.csv")')).toBe('{"a":1,"b":"x"} {"a":2,"b":"y"}');
  });

  it('may differ in the case of a header, lack one as all do, or hold nothing', async () => {
    await at.write('same/1.csv', 'a,b\n1,x\n');
    await at.write('same/2.csv', '');
    await at.write('same/3.csv', '"A", b\n2,y\n');
    expect(await read('READ("file:same/*.csv")')).toBe('{"a":1,"b":"x"} {"a":2,"b":"y"}');
    await at.write('bare/1.csv', '1,x\n');
    await at.write('bare/2.csv', '2,y\n');
    expect(await read('READ("file:bare/*.csv")')).toBe('{"_1":1,"_2":"x"} {"_1":2,"_2":"y"}');
  });
});
