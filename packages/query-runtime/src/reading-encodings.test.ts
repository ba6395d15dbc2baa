import { gzipSync } from 'node:zlib';

import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
});
afterAll(() => at.close());

/** Returns the result lines of a query, or its message without the query's text. */
async function read(query: string): Promise<string> {
  return (await at.run(query)).map((line) => line.replace(/ at (TRY_)?READ[\s\S]*$/, '')).join(' ');
}

const MARK = '\uFEFF';
const littleEndian = (text: string): Buffer => Buffer.from(text, 'utf16le');
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
/** Encodes text to bytes: each character up to U+00FF is one. */
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

const CSV = 'name,n\nŁódź €,1\n';
const JSON_LINES = '{"name":"Łódź €","n":1}\n';
const XML = '<r><name>Łódź €</name><n>1</n></r>';
const ROW = '{"name":"Łódź €","n":1}';

describe('UTF-16', () => {
  test.each([
    ['with a mark', littleEndian(MARK + CSV), '', ROW],
    ['with a mark, big-endian', bigEndian(MARK + CSV), '', ROW],
    ['with a mark that the option repeats', littleEndian(MARK + CSV), ', encoding := "utf-16le"', ROW],
    ['with a mark and the option that leaves it open', bigEndian(MARK + CSV), ', encoding := "utf-16"', ROW],
    ['without a mark', littleEndian(CSV), ', encoding := "utf-16le"', ROW],
    ['without a mark, big-endian', bigEndian(CSV), ', encoding := "utf-16be"', ROW],
    ['without a mark is little-endian', littleEndian(CSV), ', encoding := "utf-16"', ROW],
    ['compressed', gzipSync(bigEndian(MARK + CSV)), '', ROW],
    [
      'with a mark that the option denies',
      littleEndian(MARK + CSV),
      ', encoding := "utf-16be"',
      '! file:f.csv: the mark at its beginning says utf-16le, not utf-16be',
    ],
    [
      'with a mark that the option denies, big-endian',
      bigEndian(MARK + CSV),
      ', encoding := "utf-16le"',
      '! file:f.csv: the mark at its beginning says utf-16be, not utf-16le',
    ],
    [
      'of no mark and no option',
      littleEndian(CSV),
      '',
      '! file:f.csv: line 2, column 4: bytes that are not UTF-8: encoding := "…" says what they are',
    ],
    [
      'of half a character at the end',
      Buffer.concat([littleEndian(MARK + CSV), bytes('x')]),
      '',
      '! file:f.csv: line 3, column 1: bytes that are not utf-16',
    ],
    ['of half a pair', littleEndian(`${MARK}name,n\nabc\uDC00,1\n`), '', '! file:f.csv: line 2, column 4: bytes that are not utf-16'],
  ])('%s', async (_, content, options, expected) => {
    await at.write('f.csv', content);
    expect(await read(`READ_CSV("file:f.csv"${options})`)).toBe(expected);
  });

  test.each([
    ['READ_JSON("file:u.json")', ROW],
    ['READ("file:u.xml")', ROW],
    ['READ_TEXT("file:u.json")', JSON.stringify(JSON_LINES)],
    ['READ_LINES("file:u.json")', JSON.stringify(JSON_LINES.trimEnd())],
    ['LEN(READ_BINARY("file:u.json"))', String(littleEndian(MARK + JSON_LINES).length)],
  ])('in every format: %s', async (query, expected) => {
    await at.write('u.json', littleEndian(MARK + JSON_LINES));
    await at.write('u.xml', bigEndian(MARK + XML));
    expect(await read(query)).toBe(expected);
  });
});

describe('character sets of the web', () => {
  test.each([
    ['windows-1252', 'M\xfcller \x80', 'Müller €'],
    // By the WHATWG encoding standard, latin-1 is windows-1252.
    ['latin-1', 'M\xfcller \x80', 'Müller €'],
    ['iso-8859-1', 'M\xfcller \xa4', 'Müller ¤'],
    ['iso-8859-15', 'M\xfcller \xa4', 'Müller €'],
    ['windows-1251', '\xcc\xee\xf1\xea\xe2\xe0', 'Москва'],
    ['shift_jis', '\x93\xfa\x96\x7b', '日本'],
    ['gb18030', '\xd6\xd0\xce\xc4', '中文'],
    ['UTF-8', '\xc3\xa9', 'é'],
  ])('%s', async (encoding, content, expected) => {
    await at.write('w.csv', bytes(`name,n\n${content},1\n`));
    await at.write('w.txt', bytes(content));
    await at.write('w.json', bytes(JSON.stringify({ name: content })));
    expect(await read(`SELECT name FROM READ("file:w.csv", encoding := "${encoding}")`)).toBe(JSON.stringify(expected));
    expect(await read(`READ_TEXT("file:w.txt", encoding := "${encoding}")`)).toBe(JSON.stringify(expected));
    expect(await read(`READ_LINES("file:w.txt", encoding := "${encoding}")`)).toBe(JSON.stringify(expected));
    expect(await read(`READ("file:w.json", encoding := "${encoding}")`)).toBe(JSON.stringify({ name: expected }));
  });
});

describe('bytes that are no text', () => {
  const HINT = 'bytes that are not UTF-8: encoding := "…" says what they are';

  test.each([
    ['f.csv', 'name,n\nok,1\nM\xfcller,2\n', 'READ("file:f.csv")', `line 3, column 2: ${HINT}`],
    ['f.csv', 'name,n\nok,1\nM\xfcller,2\n', 'READ("file:f.csv" AS collection(record(name: string)))', `line 3, column 2: ${HINT}`],
    ['f.csv', 'name,n\n\xc3\xa9\xc3\xa9\xff,1\n', 'READ("file:f.csv", encoding := "ascii")', `line 2, column 3: ${HINT}`],
    ['f.csv', 'name\n\xc3\xa9\n\xe9\n', 'READ("file:f.csv", has_header := true)', `line 3, column 1: ${HINT}`],
    ['f.csv.gz', 'name,n\nok\xff,1\n', 'READ("file:f.csv.gz")', `line 2, column 3: ${HINT}`],
    ['f.json', '{"a":"ok"}\n{"a":"M\xfcller"}\n', 'READ("file:f.json")', `line 2, column 8: malformed JSON: ${HINT}`],
    ['f.txt', 'ok\nM\xfcller\n', 'READ_TEXT("file:f.txt")', `line 2, column 2: ${HINT}`],
    ['f.txt', 'ok\nM\xfcller\n', 'READ_LINES("file:f.txt")', `line 2, column 2: ${HINT}`],
    ['f.xml', '<r>\n<a>M\xfcller</a></r>', 'READ("file:f.xml")', `line 2, column 5: ${HINT}`],
    ['f.txt', 'ok\n\x93\xfa\x80\x80', 'READ_TEXT("file:f.txt", encoding := "shift_jis")', 'line 2, column 2: bytes that are not shift_jis'],
    ['f.txt', 'ok\nx\xe2\x82', 'READ_TEXT("file:f.txt")', `line 2, column 2: ${HINT}`],
  ])('%s of %j: %s', async (name, content, query, expected) => {
    await at.write(name, name.endsWith('.gz') ? gzipSync(bytes(content)) : bytes(content));
    expect(await read(query)).toBe(`! file:${name}: ${expected}`);
  });

  it('have a place far behind the beginning, within characters of several bytes', async () => {
    const long = `${'é'.repeat(99_999)}\n`.repeat(3);
    await at.write('far.txt', Buffer.concat([Buffer.from(`${long}${'é'.repeat(140_000)}`), bytes('\xe9 and more')]));
    expect(await read('READ_TEXT("file:far.txt")')).toBe(`! file:far.txt: line 4, column 140001: ${HINT}`);
  });

  it('are skipped with their rows, where that is wanted', async () => {
    await at.write('s.csv', bytes('name,n\nok,1\nM\xfcller,2\nend,3\n'));
    await at.write('s.json', bytes('{"a":"ok"}\n{"a":"M\xfcller"}\n{"a":"end"}\n'));
    expect(await read('READ("file:s.csv", on_error := "skip")')).toBe('{"name":"ok","n":1} {"name":"end","n":3}');
    expect(await read('READ("file:s.json", on_error := "skip")')).toBe('{"a":"ok"} {"a":"end"}');
    expect(await read('TRY_READ("file:s.csv")')).toBe('null');
  });
});
