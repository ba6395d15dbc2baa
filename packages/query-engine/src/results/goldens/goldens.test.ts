import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import avsc from 'avsc';
import { parse } from 'csv-parse/sync';

import { openTestEngine, type TestEngine } from '../../testing/with-engine.ts';
import { LINE_ENDINGS, type LineEnding } from '../print-rows.ts';
import {
  isTextFormat,
  unsupportedPart,
  RESULT_FORMATS,
  type FileFormatName,
  type ResultFormatName,
  type TextFormatName,
} from '../result-format.ts';
import { goldenFile, goldenText, goldenType } from './golden-bodies.ts';
import { GOLDEN_RESULTS, type GoldenResult } from './golden-values.ts';
import { avroSchemaOf, showParquet, showSqlite } from './read-files.ts';

/** `REWRITE_CASES=1` replaces the expected output by the actual one: read every changed line before you commit it. */
const isRewriting = process.env['REWRITE_CASES'] !== undefined;
const FORMATS = Object.values(RESULT_FORMATS).map((format) => format.name);

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

test.each(FORMATS)('%s holds every type and shape as its golden says, by a reader that is not ours', async (format) => {
  const sections: string[] = [];
  for (const result of GOLDEN_RESULTS) sections.push(`===== ${result.name}\n${await show(format, result)}\n`);
  const shown = sections.join('\n');
  const path = join(import.meta.dirname, `${format}.golden.txt`);
  if (isRewriting) await writeFile(path, shown);
  expect(shown).toBe(await readFile(path, 'utf8'));
});

test.each(['hjson', 'csv'] as const)('%s is the same with the line ending of the interface in place of the plain one', async (format) => {
  for (const result of GOLDEN_RESULTS.filter(
    (result) => !result.name.includes('line ends') && unsupportedPart(format, goldenType(result)) === null,
  )) {
    const [unix, windows] = [await textOf(format, result, 'unix'), await textOf(format, result, 'windows')];
    expect(windows).toBe(unix.replaceAll('\n', LINE_ENDINGS.windows));
  }
});

test('the Avro schema of each file is one that an Avro library takes, and its rows are what it describes', async () => {
  for (const result of GOLDEN_RESULTS) {
    const schema = await withFile('parquet-avro', result, avroSchemaOf);
    const type = avsc.Type.forSchema(schema as avsc.Schema); // the text was written as one; the library throws where it is none
    expect(JSON.stringify(type.schema())).toContain('"name":"result"');
  }
});

async function show(format: ResultFormatName, result: GoldenResult): Promise<string> {
  const unsupported = unsupportedPart(format, goldenType(result));
  if (unsupported !== null) return `refused${unsupported.field === null ? '' : `: the field ${unsupported.field}`}`;
  if (isTextFormat(format)) return showText(format, await textOf(format, result, 'unix'));
  const shown = await withFile(format, result, format === 'sqlite' ? (path) => Promise.resolve(showSqlite(path)) : showParquet);
  return shown.replaceAll('\r', '\u240d');
}

/** Returns the body with visible control characters, and for CSV the parsed cells. */
function showText(format: TextFormatName, body: string): string {
  const visible = body.replaceAll(/\p{Cc}/gu, (c) => (c < ' ' ? String.fromCharCode(0x2400 + c.charCodeAt(0)) : c) + (c === '\n' ? c : ''));
  if (format === 'csv') {
    const records: unknown = parse(body, { record_delimiter: '\n' });
    return `${visible}${(records as readonly unknown[]).map((record) => `= ${JSON.stringify(record)}`).join('\n')}`;
  }
  for (const text of format === 'json' ? [body] : body.split('\n').slice(0, -1)) JSON.parse(text);
  return visible.trimEnd();
}

async function textOf(format: TextFormatName, result: GoldenResult, lineEnding: LineEnding): Promise<string> {
  const body = await goldenText(engine, result, { format, lineEnding });
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
}

async function withFile<T>(format: FileFormatName, result: GoldenResult, read: (path: string) => Promise<T>): Promise<T> {
  const { bytes, stream } = await goldenFile(engine, result, format);
  expect(stream.progress()).toMatchObject({ rows: result.values.length, bytes: bytes.length });
  expect(stream.size()).toBe(bytes.length); // it is small
  const path = join(engine.root, `result.${format}`);
  await writeFile(path, bytes);
  return read(path);
}
