import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { avroFile, avroLong, createRandom, eventually, mutateBytes, workbook } from '@svc/test-kit';

import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

const FILES = Number(process.env['SVC_DAMAGED_FILES'] ?? 300);
const SEED = Number(process.env['SVC_DAMAGED_SEED'] ?? 16);

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
});
afterAll(() => at.close());

/** Returns a complete file of each format, by extension. */
async function wholeFiles(): Promise<readonly [Whole, ...Whole[]]> {
  const nested =
    "SELECT i, 'text ' || (i % 7) AS t, [i, NULL] AS l, {'a': i, 'b': [{'c': 'x'}]} AS r, i / 3 AS d, DATE '2024-01-01' + i::INT AS day";
  await at.makeParquet('nested.parquet', `${nested} FROM range(300) t (i)`, 100);
  await at.makeParquet('numbers.parquet', 'SELECT i, hash(i) % 1000 AS h FROM range(3000) t (i)', 1000);
  const rows = Array.from({ length: 50 }, (_, i) => ({ a: i, b: [`x${i}`, { c: i / 3 }], d: i % 3 === 0 ? null : '2024-01-02' }));
  const [json, lines] = [JSON.stringify(rows), rows.map((row) => `${JSON.stringify(row)}\n`).join('')];
  const xml = `<?xml version="1.0"?><r>${'<x id="1"><y>2</y><![CDATA[a&b]]></x>'.repeat(40)}</r>`;
  const csv = rows.map(({ a, d }) => `${a},"text, ${a}",${d ?? ''}\n`).join('');
  const cells = '<c t="s"><v>0</v></c><c><v>1.5</v></c><c t="b"><v>1</v></c><c t="inlineStr"><is><t>a</t></is></c>';
  const fields = [
    { name: 'a', type: 'long' },
    { name: 'b', type: ['null', 'string'] },
  ];
  const values = Buffer.concat(rows.map(({ a }) => Buffer.concat([avroLong(a), avroLong(1), avroLong(2), Buffer.from('ab')])));
  const avro = (codec: 'null' | 'deflate' | 'zstandard', bytes: Buffer): Buffer =>
    avroFile({ type: 'record', name: 'r', fields }, codec, [{ count: rows.length, bytes }]);
  return [
    ['parquet', await readFile(join(at.root, 'nested.parquet'))],
    ['parquet', await readFile(join(at.root, 'numbers.parquet'))],
    ['avro', avro('null', values)],
    ['avro', avro('deflate', deflateRawSync(values))],
    ['avro', avro('zstandard', zstdCompressSync(values))],
    ['json.gz', gzipSync(json)],
    ['json.gz', gzipSync(lines)],
    ['ndjson.zst', zstdCompressSync(lines)],
    ['csv.gz', gzipSync(csv)],
    ['xlsx', workbook(`<row>${cells}</row>`.repeat(20), { strings: '<si><t>n</t></si>' })],
    ['xml', Buffer.from(xml)],
    ['xml.gz', gzipSync(xml)],
  ];
}

type Whole = readonly [extension: string, bytes: Buffer];

const OPTIONS = ['', ', on_error := "skip"', ', on_error := "null"', ', sample_size := 5'] as const;
const WITH_TYPE = ', collection(record(a: int, b: string))';

/** Queries that read all of a damaged file, some of it, none. */
const QUERIES = [
  (read: string) => read,
  (read: string) => `SELECT COUNT(*) FROM ${read}`,
  (read: string) => `SELECT * FROM ${read} LIMIT 3`,
  (read: string) => `DESCRIBE${read.slice('READ'.length)}`,
] as const;

test('a Parquet file that is encrypted, or has texts in another encoding, is told as such', async () => {
  await at.makeParquet('latin.parquet', `SELECT 'caf' || chr(233) AS s`);
  const bytes = await readFile(join(at.root, 'latin.parquet'));
  const place = bytes.indexOf('café');
  await at.write('latin.parquet', Buffer.concat([bytes.subarray(0, place), Buffer.from('caf\xe9!', 'latin1'), bytes.subarray(place + 5)]));
  await at.write('encrypted.parquet', Buffer.concat([bytes.subarray(0, -4), Buffer.from('PARE')]));
  const message = (name: string, what: string) => [`! file:${name}.parquet: ${what} at READ("file:${name}.parquet")`];
  expect(await at.run('SELECT s FROM READ("file:latin.parquet")')).toEqual(
    message('latin', `the text 'caf\\xE9!' in the file is not UTF-8`),
  );
  expect(await at.run('READ("file:encrypted.parquet")')).toEqual(
    message('encrypted', 'the file is encrypted, and encrypted files are not read'),
  );
});

describe('a file of a format that is not read', () => {
  const BZIP2 = Buffer.from('BZh91AY&SY\x01\x02,\x03\n\x04,\x05\n', 'latin1');
  const ZIP = Buffer.from('PK\x03\x04\x14\0\0\0\0\0a.csv');

  test.each([
    ['a.csv.bz2', BZIP2, 'compressed with bzip2: gzip and zstd are read'],
    ['b.csv', BZIP2, 'compressed with bzip2: gzip and zstd are read'],
    ['a.csv.xz', Buffer.from('\xfd7zXZ\0\0\x04', 'latin1'), 'compressed with xz: gzip and zstd are read'],
    ['a.csv.lz4', Buffer.from('\x04"M\x18a,b\n', 'latin1'), 'compressed with lz4: gzip and zstd are read'],
    ['a.zip', ZIP, 'a ZIP archive: unpack it, or read an Excel workbook with READ_EXCEL'],
    ['a.json', ZIP, 'a ZIP archive: unpack it, or read an Excel workbook with READ_EXCEL'],
    ['a.tar.gz', gzipSync(Buffer.from(`${'a.csv'.padEnd(257, '\0')}ustar\0`)), 'a tar archive: unpack it'],
    ['a.xls', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'an old Excel workbook (.xls): save it as .xlsx'],
    ['a.feather', Buffer.from('ARROW1\0\0'), 'of the format Arrow or Feather: Parquet is read'],
  ])('is told as what it is: %s', async (name, content, what) => {
    await at.write(name, content);
    const reads = [`READ("file:${name}")`, `READ_CSV("file:${name}")`, `READ_LINES("file:${name}")`];
    for (const read of reads) expect(await at.run(read)).toEqual([`! file:${name}: the file is ${what} at ${read}`]);
    expect(await at.run(`LEN(READ_BINARY("file:${name}")) > 5`)).toEqual(['true']);
  });

  test('is not one that begins with the same letters', async () => {
    await at.write('orcid.csv', 'ORCID,BZh9\n1,2\n');
    expect(await at.run('READ("file:orcid.csv")')).toEqual(['{"ORCID":1,"BZh9":2}']);
  });
});

/** Faults of Parquet that the engine reports in words that nobody has listed. */
describe('an unknown fault of a Parquet file', () => {
  const sound = 'SELECT i, i / 3 AS d, uuid() AS u, (i % 100)::DECIMAL(9, 2) AS c FROM range(400) t (i)';

  /** Replaces the second of some bytes, where they stand last in a file. */
  async function damage(name: string, found: readonly number[], by: number): Promise<void> {
    await at.makeParquet(`${name}.parquet`, sound);
    const bytes = await readFile(join(at.root, `${name}.parquet`));
    const place = bytes.lastIndexOf(Buffer.from(found));
    expect(place).toBeGreaterThan(bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8));
    bytes[place + 1] = by;
    await at.write(`${name}.parquet`, bytes);
  }

  beforeAll(async () => {
    await at.makeParquet('sound.parquet', sound);
    for (const name of ['length', 'first', 'second', 'third', 'fourth']) await damage(name, [0x15, 0x20, 0x15], 0x71); // of a fixed-length column: -57
    await damage('rows', [0x16, 0xa0, 0x06], 0xa1); // the number of rows of its group: -401
    await damage('scale', [0x15, 0x04, 0x15, 0x12, 0x2c], 0x16); // of a decimal of 9 digits: 11
    await damage('type', [0x15, 0x0a, 0x25], 0x02); // of a column with statistics of doubles: int
  });

  test.each([
    ['of its schema', 'length', (read: string) => `SELECT COUNT(*) FROM ${read}`],
    ['of its number of rows', 'rows', (read: string) => `SELECT COUNT(*) FROM ${read}`],
    ['of its decimals', 'scale', (read: string) => `SELECT * FROM ${read}`],
    ['of its statistics', 'type', (read: string) => `SELECT * FROM ${read} WHERE d > 1`],
  ])('%s is one of the file', async (_, name, query) => {
    for (const options of ['', ', on_error := "null"']) {
      const read = `READ("file:${name}.parquet"${options})`;
      expect(await at.run(query(read))).toEqual([`! file:${name}.parquet: the file cannot be read as Parquet at ${read}`]);
    }
  });

  test('breaks an engine, and no other file of the query', async () => {
    const [broken, rows] = ['READ("file:length.parquet")', 'READ("file:rows.parquet")'];
    const message = (name: string): string => `! file:${name}.parquet: the file cannot be read as Parquet at READ("file:${name}.parquet")`;
    const whole = 'READ("file:sound.parquet")';
    expect(await at.run(`(a: (SELECT COUNT(*) FROM ${broken}), b: (SELECT COUNT(*) FROM ${whole}))`)).toEqual([message('length')]);
    const both = (a: string, b: string): string => `(a: READ("file:${a}.parquet"), b: READ("file:${b}.parquet"))`;
    expect(await at.run(both('first', 'second'))).toEqual([message('first'), message('second')]);
    expect(await at.typeOf(both('third', 'fourth'))).toEqual([message('third'), message('fourth')].join('\n'));
    expect(await at.run(`(a: (SELECT COUNT(*) FROM ${whole}), b: (SELECT COUNT(*) FROM ${rows}))`)).toEqual([message('rows')]);
    expect(await at.run(`SELECT COUNT(*) FROM ${whole}`)).toEqual(['400']);
  });
});

async function openFiles(): Promise<readonly string[]> {
  const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return links.filter((path) => path.startsWith(at.root));
}

test(
  'a damaged file is read or refused in words about it, whatever is damaged, and nothing of it stays open',
  async () => {
    const files = await wholeFiles();
    const random = createRandom(SEED);
    const unclear: string[] = [];
    let [refused, read] = [0, 0];
    for (let i = 0; i < FILES; i += 1) {
      const [extension, bytes] = files[i % files.length] ?? files[0];
      const damaged = mutateBytes(bytes, random);
      const name = `damaged-${i % 4}.${extension}`; // a name is written again: what is known of another state of it does not count
      await at.write(name, damaged);
      const query = random.pick(QUERIES)(`READ("file:${name}"${random.below(6) === 0 ? WITH_TYPE : ''}${random.pick(OPTIONS)})`);
      // An exception other than a query failure would be a 500.
      const answer = await at.run(query).catch((thrown: unknown) => [`!! ${String(thrown)}`]);
      const failures = answer.filter((line) => line.startsWith('!'));
      if (failures.length === 0) read += 1;
      else refused += 1;
      const isUnclear = failures.some(
        (line) => line.startsWith('!!') || line.includes(at.root) || line.includes(at.spool) || /INTERNAL|duckdb/i.test(line),
      );
      if (isUnclear) unclear.push(`file ${i} of seed ${SEED}, ${query}: ${failures.join(' ').slice(0, 300)}`);
    }
    expect(unclear).toEqual([]);
    expect(read).toBeGreaterThan(FILES / 10);
    expect(refused).toBeGreaterThan(FILES / 10);
    await eventually(async () => expect(await openFiles()).toEqual([]));
  },
  Math.max(60_000, FILES * 300),
);
