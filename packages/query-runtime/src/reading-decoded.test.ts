import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';

import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';
import { openTestRuntime } from './testing/test-runtime.ts';

/** Files that other programs wrote: fastavro 1.12 and 1.13, and openpyxl 3.1. */
const FILES = join(import.meta.dirname, 'testing/files');

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
  for (const name of await readdir(FILES)) await at.write(name, await readFile(join(FILES, name)));
});
afterAll(() => at.close());

async function read(query: string): Promise<string> {
  return (await at.run(query)).map((line) => (line.startsWith('!') ? line.replace(/ at (TRY_)?READ[\s\S]*$/, '') : line)).join(' ');
}

describe('READ_AVRO', () => {
  test.each([
    ['b', 'bool', 'true'],
    ['i', 'int', '-1'],
    ['l', 'long', '9007199254740994'],
    ['f', 'float', '1.5'],
    ['d', 'double', 'null'],
    ['`by`', 'binary', '"AP8="'],
    ['s', 'string', '"é\\"\\n"'],
    ['nu', 'string nullable', 'null'],
    ['un', 'any nullable', '5'],
    ['un2', 'any', '"z"'],
    ['e', 'string', '"B"'],
    ['fx', 'binary', '"YWJjZA=="'],
    ['arr', 'collection(int)', '[1,2]'],
    ['m', 'collection(record(key: string, value: long))', '[{"key":"k","value":1},{"key":"j","value":2}]'],
    ['rec', 'record(x: int, e2: string)', '{"x":1,"e2":"A"}'],
    ['rec2', 'record(x: int, e2: string) nullable', 'null'],
    ['dt', 'date', '"2024-01-02"'],
    ['tm', 'time', '"01:02:03.456"'],
    ['tu', 'time', '"01:02:03.456789"'],
    ['ts', 'timestamp', '"2024-01-02T03:04:05.678"'],
    ['tsu', 'timestamp', '"1901-01-02T03:04:05.678901"'],
    ['lts', 'timestamp', '"2024-01-02T03:04:05.000001"'],
    ['dec', 'decimal', '-1234567890123.456'],
    ['fdec', 'decimal', '12.34'],
    ['u', 'string', '"00000000-0000-0000-0000-000000000005"'],
    ['dur', 'binary', '"AQAAAAIAAAADAAAA"'],
    ['ndec', 'decimal nullable', '0.005'],
    ['nts', 'timestamp nullable', '"2024-01-01T00:00:00.000"'],
    ['udt', 'any nullable', '"2024-01-01T00:00:00.000"'],
  ])('gives %s as %s', async (field, type, value) => {
    const query = `SELECT ${field} FROM READ("file:null.avro")`;
    expect(await at.typeOf(query)).toBe(`collection(${type})`);
    expect((await at.run(query))[1]).toBe(value);
  });

  test.each([
    ['SELECT l FROM READ("file:deflate.avro")', '9007199254740993 9007199254740994'],
    ['SELECT l FROM READ("file:snappy.avro")', '9007199254740993 9007199254740994'],
    ['SELECT l FROM READ("file:zstandard.avro")', '9007199254740993 9007199254740994'],
    ['SELECT `__proto__`, constructor FROM READ("file:names.avro") LIMIT 1', '{"__proto__":"own","constructor":{"toString":1}}'],
    [
      'SELECT m FROM READ("file:names.avro") LIMIT 1',
      '[{"key":"__proto__","value":"p"},{"key":"constructor","value":"c"},{"key":"a","value":"b"}]',
    ],
    ['SELECT u FROM READ("file:names.avro")', '{"x":5} [{"key":"__proto__","value":7}] [1]'],
    ['SELECT e FROM READ("file:names.avro") LIMIT 1', '"__proto__"'],
    ['READ("file:self.avro")', "! file:self.avro: the schema's L contains itself, which no type can say"],
    ['READ("file:book.xlsx" AS collection(int))', '! file:book.xlsx: expected collection(int) but a sheet is a collection of records'],
    ['READ_AVRO("file:null.avro" AS collection(record(i: string, zz: int nullable)))', '{"i":"0","zz":null} {"i":"-1","zz":null}'],
    [
      'READ_AVRO("file:null.avro" AS collection(record(nu: string)))',
      '! file:null.avro: value 2: nu: missing or null, and the type is not nullable',
    ],
    ['READ_AVRO("file:null.avro" AS collection(record(nu: string)), on_error := "skip")', '{"nu":"x"}'],
    ['READ_AVRO("file:book.xlsx")', '! file:book.xlsx: the file is a ZIP archive: unpack it, or read an Excel workbook with READ_EXCEL'],
    ['READ_EXCEL("file:null.avro")', '! file:null.avro: the file is no Excel workbook (.xlsx)'],
  ])('%s', async (query, expected) => {
    expect(await read(query)).toBe(expected);
  });

  it('says in which block a file is damaged', async () => {
    const whole = await readFile(join(FILES, 'null.avro'));
    await at.write('cut.avro', whole.subarray(0, -30));
    await at.write('odd.avro', Buffer.concat([whole.subarray(0, -1), Buffer.from([0])]));
    expect(await read('READ("file:cut.avro")')).toBe('! file:cut.avro: block 1: the file ends too early');
    expect(await read('READ("file:odd.avro")')).toBe('! file:odd.avro: block 1: it does not end as the file says');
    expect(await read('TRY_READ("file:odd.avro")')).toBe('! file:odd.avro: block 1: it does not end as the file says');
  });
});

describe('READ_EXCEL', () => {
  const read3 = 'READ("file:book.xlsx" AS collection(record(id: int, mix: int nullable, name: string nullable))';
  test.each([
    ['SELECT id, name, ok, ratio FROM READ("file:book.xlsx") WHERE id = 1', '{"id":1,"name":"Ann","ok":true,"ratio":1.5}'],
    ['SELECT `when` FROM READ("file:book.xlsx")', '"2024-01-02T03:04:05.000" "2024-01-03T00:00:00.000" null'],
    ['SELECT day FROM READ("file:book.xlsx")', '"2024-01-02" "1900-01-31" null'],
    ['SELECT t FROM READ("file:book.xlsx")', '"10:11:12.000" "00:00:01.000" null'],
    ['SELECT err FROM READ("file:book.xlsx")', '"#N/A" "#DIV/0!" null'],
    ['READ_EXCEL("file:book.xlsx", sheet := "second SHEET")', '{"_1":10,"_2":20} {"_1":30,"_2":40}'],
    ['READ_EXCEL("file:book.xlsx", sheet := "Second sheet", has_header := true)', '{"10":30,"20":40}'],
    ['READ_EXCEL("file:book.xlsx", sheet := "skip", skip := 2, has_header := true)', '{"a":1,"b":2,"a_2":3,"_4":4,"c":5}'],
    ['READ_EXCEL("file:book.xlsx", sheet := "hdr")', ''],
    [
      'READ_EXCEL("file:book.xlsx", sheet := "nope")',
      '! file:book.xlsx: there is no sheet nope: expected one of First, Second sheet, skip, empty, hdr',
    ],
    [`${read3})`, "! file:book.xlsx: row 3: mix: 'x' is no int"],
    [`${read3}, on_error := "null")`, '{"id":1,"mix":1,"name":"Ann"} {"id":2,"mix":null,"name":null} {"id":3,"mix":null,"name":" sp "}'],
    [`SELECT id FROM ${read3}, on_error := "skip")`, '1 3'],
    ['READ("file:book.xlsx", sample_size := 1)', "! file:book.xlsx: row 3: mix: 'x' is no long"],
    ['READ_EXCEL("file:book.xlsx" AS collection(record(zz: int)))', '! file:book.xlsx: the sheet has no column zz'],
  ])('%s', async (query, expected) => {
    expect(await read(query)).toBe(expected);
  });
});

const NESTED =
  '<r xmlns="u" v="2"><item id="1">text <b>bold</b> more</item>\n<item id="2"><tag>x</tag><tag>y</tag><e/><d>2024-01-02</d></item></r>';

describe('READ_XML', () => {
  test.each([
    ['<r>5</r>', '', '5'],
    ['<r/>', '', 'null'],
    ['<r><a>&lt;&#233;&amp;<![CDATA[<raw>]]><!-- c --></a></r>', '', '{"a":"<é&<raw>"}'],
    ['<r><a> 5 </a><a/></r>', '', '{"a":[5,null]}'],
    [
      NESTED,
      '',
      '{"@v":2,"item":[{"@id":1,"#text":"text  more","b":"bold","tag":[],"e":null,"d":null},{"@id":2,"#text":null,"b":null,"tag":["x","y"],"e":null,"d":"2024-01-02"}]}',
    ],
    [NESTED, ', row_tag := "b"', '"bold"'],
    [NESTED, ', row_tag := "none"', ''],
    ['<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE r SYSTEM "x.dtd"><r>1</r>', '', '1'],
    ['<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><r>&x;</r>', '', '! file:f.xml: line 1, column 63: undefined entity.'],
    ['<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><r>&b;</r>', '', '! file:f.xml: line 1, column 58: undefined entity.'],
    ['<r>\n <a>1</b>\n</r>', '', '! file:f.xml: line 2, column 10: unexpected close tag.'],
    ['<r><a>1</a>', '', '! file:f.xml: line 1, column 12: unclosed tag: r'],
    ['', '', '! file:f.xml: line 1, column 1: document must contain a root element.'],
    [`${'<a>'.repeat(201)}`, '', '! file:f.xml: line 1, column 604: elements are nested more than 200 levels deep'],
    ['<r><a>1</a>\n<a>x</a></r>', ' AS record(a: collection(int))', "! file:f.xml: a[]: 'x' is no int"],
    ['<r><a>1</a>\n<a>2</a></r>', ' AS record(a: int)', '! file:f.xml: line 2: a: more than one element where the type has one'],
    ['<r><a>1</a><a>x</a></r>', ' AS collection(int), row_tag := "a"', "! file:f.xml: element 2: 'x' is no int"],
    ['<r><a>1</a><a>x</a></r>', ' AS collection(int nullable), row_tag := "a", on_error := "null"', '1 null'],
    ['<r><a>1</a><a>x</a></r>', ' AS collection(int), row_tag := "a", on_error := "skip"', '1'],
    ['<r><p><a>1</a></p><p><a>1</a><a>2</a></p></r>', ' AS collection(record(a: int)), on_error := "skip"', '{"a":1}'],
    ['<r><p><a>1</a></p><p/></r>', ', row_tag := "p"', '{"a":1} null'],
    ['<r><p><a>1</a></p><p/></r>', ', row_tag := "p", sample_size := 1', '{"a":1} {"a":null}'],
    ['<r><a>1</a><a>2.5</a></r>', ', row_tag := "a", sample_size := 1', "! file:f.xml: element 2: '2.5' is no long"],
  ])('%s%s', async (content, options, expected) => {
    await at.write('f.xml', content);
    expect(await read(`READ_XML("file:f.xml"${options})`)).toBe(expected);
  });

  it('is in the encoding that its declaration, its mark or the option says', async () => {
    await at.write('l.xml', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><r>caf\xe9</r>', 'latin1'));
    await at.write('m.xml', Buffer.from('<r>caf\xe9</r>', 'latin1'));
    await at.write('u.xml', Buffer.from('\uFEFF<?xml version="1.0" encoding="UTF-16"?><r>é</r>', 'utf16le'));
    await at.write('x.xml', '<?xml version="1.0" encoding="klingon"?><r>1</r>');
    expect(await read('READ("file:l.xml")')).toBe('"café"');
    expect(await read('READ("file:m.xml", encoding := "latin-1")')).toBe('"café"');
    expect(await read('READ("file:m.xml")')).toBe(
      '! file:m.xml: line 1, column 7: bytes that are not UTF-8: encoding := "…" says what they are',
    );
    expect(await read('READ("file:u.xml")')).toBe('"é"');
    expect(await read('READ("file:x.xml")')).toBe('! file:x.xml: the encoding klingon is not known');
  });

  it.each([
    ['gz', gzipSync],
    ['zst', zstdCompressSync],
  ])('of some bytes of %s takes no more memory than without compression', async (extension, compress) => {
    const statements: string[] = [];
    const { run, close } = await openTestRuntime({ root: at.root, onCompiled: ({ sql }) => statements.push(sql) });
    await at.write('small.xml', '<r><a>1</a></r>');
    await at.write(`small.xml.${extension}`, compress('<r><a>1</a></r>'));
    for (const name of ['small.xml', `small.xml.${extension}`]) expect(await run(`READ("file:${name}")`)).toBe('{"a":1}\n');
    const [plain, compressed] = statements.map((sql) => /maximum_object_size=\d+/.exec(sql)?.[0]);
    expect(compressed).toBe(plain);
    await close();
  });
});

describe.each([
  ['gz', gzipSync],
  ['zst', zstdCompressSync],
])('a file of several members of %s', (extension, compress) => {
  it.each([
    ['xml', '<r><a>1</a>', '<a>2</a></r>', 'utf8', '1 2'],
    ['csv', 'n\n1\n', '2\n', 'utf16le', '{"n":1} {"n":2}'],
    ['csv', 'n\n1\n', '2\n', 'utf8', '{"n":1} {"n":2}'],
    ['ndjson', '', '{"a":1}\n{"a":2}\n', 'utf8', '{"a":1} {"a":2}'],
    ['txt', 'a\n', 'b\n', 'utf8', '"a" "b"'],
  ] as const)('is read to its end as %s', async (format, begin, rest, encoding, expected) => {
    const name = `members-${encoding}.${format}.${extension}`;
    await at.write(name, Buffer.concat([compress(Buffer.from(begin, encoding)), compress(Buffer.from(rest, encoding))]));
    const options = `${encoding === 'utf8' ? '' : ', encoding := "utf-16le"'}${format === 'xml' ? ', row_tag := "a"' : ''}`;
    expect(await read(`${format === 'txt' ? 'READ_LINES' : 'READ'}("file:${name}"${options})`)).toBe(expected);
  });
});
