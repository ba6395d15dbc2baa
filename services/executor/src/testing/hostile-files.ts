import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { avroFile, avroLong, workbook } from '@svc/test-kit';

/** Writes the files that the attacks read, below the root and beside it. */
export async function makeHostileFiles(root: string): Promise<void> {
  const outside = join(root, '../outside');
  for (const folder of [outside, `${root}-beside`, join(root, 'folder'), join(root, KEY_FOLDER)]) await mkdir(folder, { recursive: true });
  for (const folder of [outside, `${root}-beside`]) await writeFile(join(folder, 'secret.csv'), 'n\nhidden secret\n');
  for (const [name, content] of Object.entries({ ...SMALL_FILES, ...bombs(), ...workbooks(), ...avroFiles() }))
    await writeFile(join(root, name), content);
  await symlink(join(outside, 'secret.csv'), join(root, 'link.csv'));
  await symlink(outside, join(root, 'link'));
  await symlink(join(root, 'circle.csv'), join(root, 'circle.csv'));
  execFileSync('mkfifo', [join(root, 'pipe.csv')]);
}

const COLUMNS = Array.from({ length: 100_000 }, (_, i) => `c${i}`);
const ZIPPED = gzipSync(Array.from({ length: 50_000 }, (_, i) => `n,${(i * 7919) % 65_537}\n`).join(''));

const KEY_FOLDER = `keys/"); DROP=' OR 1=1 --`;

const SMALL_FILES: Readonly<Record<string, string | Uint8Array>> = {
  'people.csv': 'n\n1\n2\n',
  "it's; SELECT.csv": 'n\n1\n2\n',
  'folder/.hidden.csv': 'n\n1\n',
  'names.csv': `"""; DROP TABLE x; --",'); SELECT 1\n1,2\n`,
  'other.csv': utf16('\ufeffn\n7\n'),
  'entity.xml': '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><r><x>&e;</x></r>',
  'a[b].csv': 'n\n5\n',
  'ab.csv': 'n\n9\n',
  [`${KEY_FOLDER}/a.csv`]: 'n\n3\n',
  'same.csv': `${COLUMNS.map(() => 'a').join(',')}\n${COLUMNS.map(() => '1').join(',')}\n`,
  'attributes.xml': `<r ${COLUMNS.map((name) => `${name}=""`).join(' ')}/>`,
  'names.json': `{${COLUMNS.map((name) => `"${name}":1`).join(',')}}`,
  'wide.csv': `${COLUMNS.join(',')}\n${COLUMNS.map(() => '1').join(',')}\n`,
  'deep.json': `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  'cut.csv.gz': ZIPPED.subarray(0, ZIPPED.length / 2),
  'fake.csv.gz': 'n\n1\n',
};

function bombs(): Readonly<Record<string, string | Uint8Array>> {
  const entities = Array.from({ length: 10 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('');
  return {
    'bomb.csv.gz': Buffer.concat([gzipSync(utf16('\ufeffn\n')), ...repeated(utf16('12345678901234\n'.repeat(100_000)), 140)]),
    'bomb.json.gz': Buffer.concat([gzipSync('{"a":"'), ...repeated(Buffer.alloc(4_000_000, 'x'), 50), gzipSync('"}')]),
    'bomb.txt.zst': zstdCompressSync(utf16(`\ufeff${'12345678901234\n'.repeat(2_000_000)}`)),
    'bomb.xml.gz': Buffer.concat([gzipSync('<r><a>'), ...repeated(Buffer.alloc(4_000_000, 'x'), 50), gzipSync('</a></r>')]),
    'bomb.csv.zst': zstdCompressSync(Buffer.alloc(20_000_000, '1\n')),
    'laughs.xml': `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a0 "ha">${entities}]><r><x>&a10;</x></r>`,
  };
}

function workbooks(): Readonly<Record<string, Uint8Array>> {
  const inline = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  return {
    'rows.xlsx': workbook(`<row>${inline('x'.repeat(30_000))}</row>`.repeat(1000)),
    'cell.xlsx': workbook(`<row>${inline('x'.repeat(80_000_000))}</row>`),
    'shared.xlsx': workbook(`<row>${'<c t="s"><v>0</v></c>'.repeat(16_000)}</row>`, {
      strings: `<si><t>${'x'.repeat(1_000_000)}</t></si>`,
    }),
    'far.xlsx': workbook('<row r="1000000000"><c r="A1000000000"><v>1</v></c></row>'),
    'lying.xlsx': workbook(`<row>${inline('x'.repeat(100_000))}</row>`, { saidBytes: 10 }),
    'right.xlsx': workbook(`<row>${inline('n')}</row><row><c><v>1</v></c></row>`),
  };
}

function avroFiles(): Readonly<Record<string, Uint8Array>> {
  const text = Buffer.concat([avroLong(4_000_000), Buffer.alloc(4_000_000, 'x')]);
  const zeros = Buffer.alloc(80_000_000);
  const record = (name: string, ...types: readonly unknown[]): unknown => ({
    type: 'record',
    name,
    fields: types.map((type, i) => ({ name: `f${i}`, type })),
  });
  const doubling = COLUMNS.slice(0, 60).reduce<unknown>((inner, name, i) => record(name, inner, COLUMNS[i - 1] ?? 'int'), 'int');
  return {
    'deflate.avro': avroFile('int', 'deflate', [{ count: zeros.length, bytes: deflateRawSync(zeros) }]),
    'zstd.avro': avroFile('int', 'zstandard', [{ count: zeros.length, bytes: zstdCompressSync(zeros) }]),
    'blocks.avro': avroFile('string', 'deflate', new Array(50).fill({ count: 1, bytes: deflateRawSync(text) })),
    'nulls.avro': avroFile({ type: 'array', items: 'null' }, 'null', [{ count: 1, bytes: avroLong(2 ** 31) }]),
    'values.avro': avroFile('null', 'null', [{ count: 2 ** 40, bytes: Buffer.alloc(0) }]),
    'doubling.avro': avroFile(doubling, 'null', []),
    'code.avro': avroFile(record('x;process.exit()//', 'int'), 'null', [{ count: 1, bytes: avroLong(5) }]),
  };
}

/** Concatenated gzip members are one file: a bomb that is quick to build. */
function repeated(piece: Uint8Array, times: number): readonly Uint8Array[] {
  return new Array<Uint8Array>(times).fill(gzipSync(piece));
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

/** Writes a Parquet file with 1000 rows, and corrupted variants of it. */
export async function makeParquetFiles(root: string, good: Buffer): Promise<void> {
  const withFooterLength = (length: number): Buffer => {
    const changed = Buffer.from(good);
    changed.writeUInt32LE(length, good.length - 8);
    return changed;
  };
  for (const [name, content] of Object.entries({
    'good.parquet': good,
    'cut.parquet': good.subarray(0, good.length / 2),
    'long-footer.parquet': withFooterLength(0xffff_ffff),
    'no-footer.parquet': withFooterLength(0),
    'lying.parquet': withMoreRows(good),
  }))
    await writeFile(join(root, name), content);
}

/** Replaces the number of rows, 1000 as a two-byte Thrift varint, by another one throughout the footer. */
function withMoreRows(good: Buffer): Buffer {
  const changed = Buffer.from(good);
  const footerLength = good.readUInt32LE(good.length - 8);
  for (let at = good.length - 8 - footerLength; at < good.length - 9; at += 1)
    if (good.readUInt16BE(at) === 0xd00f) changed.writeUInt16BE(0xfe7f, at);
  return changed;
}
