import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { avroFile, avroLong, mutateBytes, workbook, type Random } from '@svc/test-kit';

import type { AttackTarget } from './attack-target.ts';
import type { AttackRequest } from './send-attack.ts';

const SAMPLES = join(import.meta.dirname, '../../../examples/data');
/** Size of the sample of a text file. */
const SAMPLE_BYTES = 20_000;

/** A file of each format that can be read, small. */
function sampleFiles(nested: readonly Buffer[]): readonly [Sample, ...Sample[]] {
  const sample = (name: string): Buffer => readFileSync(join(SAMPLES, name));
  const csv = sample('airports.csv').subarray(0, SAMPLE_BYTES);
  const json = Buffer.from(
    JSON.stringify(Array.from({ length: 50 }, (_, i) => ({ a: i, b: [`x${i}`, { c: i / 3 }], d: i % 3 === 0 ? null : '2024-01-02' }))),
  );
  const lines = Buffer.from(Array.from({ length: 50 }, (_, i) => `{"a":${i},"b":"text ${i}","c":[${i},null]}\n`).join(''));
  const xml = Buffer.from(`<?xml version="1.0"?><r>${'<x id="1"><y>2</y><![CDATA[a&b]]></x>'.repeat(40)}</r>`);
  const cell = '<c t="s"><v>0</v></c><c><v>1.5</v></c><c t="b"><v>1</v></c><c t="inlineStr"><is><t>a</t></is></c>';
  const schema = {
    type: 'record',
    name: 'r',
    fields: [
      { name: 'a', type: 'long' },
      { name: 'b', type: ['null', 'string'] },
    ],
  };
  const values = Buffer.concat(
    Array.from({ length: 30 }, (_, i) => Buffer.concat([avroLong(i), avroLong(1), avroLong(2), Buffer.from('ab')])),
  );
  return [
    { extension: 'csv', bytes: csv },
    { extension: 'csv.gz', bytes: gzipSync(csv) },
    { extension: 'csv.zst', bytes: zstdCompressSync(csv) },
    { extension: 'json', bytes: json },
    { extension: 'ndjson', bytes: lines },
    { extension: 'json.gz', bytes: gzipSync(json) },
    { extension: 'parquet', bytes: sample('gapminder.parquet') },
    { extension: 'xml', bytes: xml },
    { extension: 'xlsx', bytes: workbook(`<row>${cell}</row>`.repeat(20), { strings: '<si><t>n</t></si>' }) },
    { extension: 'avro', bytes: avroFile(schema, 'null', [{ count: 30, bytes: values }]) },
    { extension: 'avro', bytes: avroFile(schema, 'deflate', [{ count: 30, bytes: deflateRawSync(values) }]) },
    { extension: 'avro', bytes: avroFile(schema, 'zstandard', [{ count: 30, bytes: zstdCompressSync(values) }]) },
    ...nested.map((bytes) => ({ extension: 'parquet', bytes })),
    { extension: 'ndjson.zst', bytes: zstdCompressSync(lines) },
    { extension: 'xml.gz', bytes: gzipSync(xml) },
    { extension: 'tsv', bytes: Buffer.from(csv.toString('latin1').replaceAll(',', '\t'), 'latin1') },
    { extension: 'txt', bytes: csv },
  ];
}

/** A file may be read as another format. */
const READERS = [
  'READ_CSV',
  'READ_JSON',
  'READ_XML',
  'READ_PARQUET',
  'READ_AVRO',
  'READ_EXCEL',
  'READ_TEXT',
  'READ_LINES',
  'READ_BINARY',
] as const;
const MORE_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['csv', [', header := false', ', skip := 3', ', delimiter := ";"', ', encoding := "utf-16"', ', nulls := ["1"]']],
  ['tsv', [', header := false', ', encoding := "latin-1"']],
  ['xml', [', row_tag := "x"', ', row_tag := "y"']],
  ['xml.gz', [', row_tag := "x"']],
  ['xlsx', [', sheet := "a"', ', header := false']],
]);

interface Sample {
  readonly extension: string;
  readonly bytes: Buffer;
}

/** Generates an attack; `done` removes its file. */
type FileFuzzer = (random: Random) => Promise<AttackRequest & { readonly done: () => Promise<void> }>;

/** Returns a file of values within values, as the executor writes it. */
async function nestedParquet({ urls, token }: AttackTarget, format: string): Promise<Buffer> {
  const body =
    'SELECT i, "ö" || i AS t, [i, NULL] AS l, (a: i, b: [(c: "x")]) AS r, CAST(i AS decimal) AS d, CAST(i AS double) AS f FROM RANGE(1, 400) AS i';
  const headers = { Authorization: `Bearer ${await token('owner')}`, 'Content-Type': 'text/plain', 'X-SVC-Output-Format': format };
  const response = await fetch(`${urls.executor}/query`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`no file of Parquet was written: ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Generates damaged files of every format below the root of the target, and queries that read them. */
export async function fileFuzzer(target: AttackTarget): Promise<FileFuzzer> {
  const { root } = target;
  const samples = sampleFiles(await Promise.all(['parquet-raw', 'parquet-avro'].map((format) => nestedParquet(target, format))));
  let count = 0;
  return async (random) => {
    const { extension, bytes } = random.pick(samples);
    count += 1;
    const name = `f${count}.${extension}`;
    const file = join(root, name);
    await writeFile(file, mutateBytes(bytes, random));
    const options = random.pick([
      '',
      '',
      ', on_error := "skip"',
      ', on_error := "null"',
      ', sample_size := 5',
      ...(MORE_OPTIONS.get(extension) ?? []),
    ]);
    const reader = random.below(5) === 0 ? random.pick(READERS) : 'READ';
    const read = `${reader}("file:${name}"${options})`;
    const body = random.pick([`SELECT COUNT(*) FROM ${read}`, `SELECT * FROM ${read} LIMIT 20`, read, `DESCRIBE("file:${name}")`]);
    const headers = { 'Content-Type': 'text/plain' };
    return {
      kind: `file ${extension}`,
      service: 'executor',
      method: 'POST',
      path: '/query',
      headers,
      body,
      done: () => rm(file, { force: true }),
    };
  };
}

/** Generates uploads of rows, also damaged ones, plain and compressed. */
export function uploadFuzzer(): (random: Random) => AttackRequest {
  const rows = Buffer.from(Array.from({ length: 200 }, (_, i) => `{"a":${i},"b":"text ${i}"}\n`).join(''));
  const csv = Buffer.from(`a,b\n${Array.from({ length: 200 }, (_, i) => `${i},"text, ${i}"\n`).join('')}`);
  return (random) => {
    const isCsv = random.below(2) === 0;
    const [encoding, encode] = random.pick<readonly [string, (bytes: Buffer) => Buffer]>([
      ['identity', (bytes) => bytes],
      ['gzip', (bytes) => gzipSync(bytes)],
      ['zstd', (bytes) => zstdCompressSync(bytes)],
    ]);
    const isDamagedFirst = random.below(2) === 0;
    const source = isCsv ? csv : rows;
    const body = isDamagedFirst ? encode(mutateBytes(source, random)) : mutateBytes(encode(source), random);
    const headers = { 'Content-Type': isCsv ? 'text/csv' : 'application/x-ndjson', 'Content-Encoding': encoding };
    return { kind: 'upload', service: 'executor', method: 'POST', path: '/tables/uploads/rows', headers, body };
  };
}
