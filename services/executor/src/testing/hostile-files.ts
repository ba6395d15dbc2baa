import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';

/** Writes what the attacks read, below the root and beside it. */
export async function makeHostileFiles(root: string): Promise<void> {
  const outside = join(root, '../outside');
  for (const folder of [outside, `${root}-beside`, join(root, 'folder')]) await mkdir(folder);
  for (const folder of [outside, `${root}-beside`]) await writeFile(join(folder, 'secret.csv'), 'n\nhidden secret\n');
  for (const [name, content] of Object.entries({ ...SMALL_FILES, ...bombs() })) await writeFile(join(root, name), content);
  await symlink(join(outside, 'secret.csv'), join(root, 'link.csv'));
  await symlink(outside, join(root, 'link'));
  await symlink(join(root, 'circle.csv'), join(root, 'circle.csv'));
  execFileSync('mkfifo', [join(root, 'pipe.csv')]);
}

const COLUMNS = Array.from({ length: 100_000 }, (_, i) => `c${i}`);
const ZIPPED = gzipSync(Array.from({ length: 50_000 }, (_, i) => `n,${(i * 7919) % 65_537}\n`).join(''));

const SMALL_FILES: Readonly<Record<string, string | Uint8Array>> = {
  'people.csv': 'n\n1\n2\n',
  "it's; SELECT.csv": 'n\n1\n2\n',
  'folder/.hidden.csv': 'n\n1\n',
  'names.csv': `"""; DROP TABLE x; --",'); SELECT 1\n1,2\n`,
  'other.csv': utf16('\ufeffn\n7\n'),
  'entity.xml': '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><r><x>&e;</x></r>',
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
    'bomb.csv.zst': zstdCompressSync(Buffer.alloc(20_000_000, '1\n')),
    'laughs.xml': `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a0 "ha">${entities}]><r><x>&a10;</x></r>`,
  };
}

/** Parts of a gzip file one behind the other are one file: a bomb that is quickly made. */
function repeated(piece: Uint8Array, times: number): readonly Uint8Array[] {
  return new Array<Uint8Array>(times).fill(gzipSync(piece));
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

/** Writes a Parquet file, with 1000 rows, as it is and as others that are not what they say. */
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

/** The number of rows, 1000 as a Thrift number of two bytes, becomes another of two bytes wherever it stands in the footer. */
function withMoreRows(good: Buffer): Buffer {
  const changed = Buffer.from(good);
  const footerLength = good.readUInt32LE(good.length - 8);
  for (let at = good.length - 8 - footerLength; at < good.length - 9; at += 1)
    if (good.readUInt16BE(at) === 0xd00f) changed.writeUInt16BE(0xfe7f, at);
  return changed;
}
