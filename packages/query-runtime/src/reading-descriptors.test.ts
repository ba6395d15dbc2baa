import { readdir, readlink } from 'node:fs/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';

import { eventually } from '@svc/test-kit';

import { avroFile, avroLong } from './testing/avro-file.ts';
import { excelFile } from './testing/excel-file.ts';
import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
});
afterAll(() => at.close());

/** Returns files below the root that this process has open. */
async function openFiles(): Promise<readonly string[]> {
  const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return links.filter((path) => path.startsWith(at.root));
}

const record = { type: 'record', name: 'r', fields: [{ name: 'v', type: 'int' }] };
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'v.csv': 'v\n1\n2\n',
  'v.csv.gz': gzipSync('v\n1\n2\n'),
  'utf16.csv': Buffer.from('\ufeffv\n1\n2\n', 'utf16le'),
  'v.json.zst': zstdCompressSync('{"v":1}\n{"v":2}\n'),
  'v.xml': '<vs><v>1</v><v>2</v></vs>',
  'v.avro': avroFile(record, [avroLong(1), avroLong(2)]),
  'v.xlsx': excelFile({ sheets: { one: '<row><c t="inlineStr"><is><t>v</t></is></c></row><row><c><v>1</v></c></row>' } }),
};

test.each(Object.entries(FILES))(
  '%s is closed when its type is known, when it is read, and when it turns out to be broken',
  async (name, content) => {
    await at.write(name, content);
    await at.write(`cut-${name}`, Buffer.from(content).subarray(0, -1 - Buffer.byteLength(content) / 3));
    for (const query of [`READ("file:${name}")`, `READ("file:cut-${name}")`]) {
      await at.typeOf(query);
      await eventually(async () => expect(await openFiles()).toEqual([]));
      await at.run(query);
      await eventually(async () => expect(await openFiles()).toEqual([]));
    }
  },
);
