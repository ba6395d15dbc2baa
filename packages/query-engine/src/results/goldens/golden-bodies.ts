import type { Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { collection } from '../../testing/types.ts';
import { never, type TestEngine } from '../../testing/with-engine.ts';
import { streamFile, type FileStream } from '../file-result.ts';
import { printRows, type LineEnding } from '../print-rows.ts';
import type { FileFormatName, TextFormatName } from '../result-format.ts';
import { streamResult } from '../stream-result.ts';
import type { GoldenResult } from './golden-values.ts';

const COLUMN = 'c1';

/** The type of a golden result, as a query would have it. */
export function goldenType({ type, isCollection }: GoldenResult): Type {
  return isCollection ? collection(type) : type;
}

/** The body of a golden result in a text format. */
export async function goldenText(
  engine: TestEngine,
  result: GoldenResult,
  { format, lineEnding }: { readonly format: TextFormatName; readonly lineEnding: LineEnding },
): Promise<Buffer> {
  const relation = { sql: relationOf(result), layout: layoutOf(result), isCollection: result.isCollection };
  const printed = printRows(relation, { format, lineEnding });
  return engine.withLease(async (lease) => read(streamResult(lease, { printed, signal: never })));
}

/** Returns the bytes of a golden result in a file format, and their stream, at its end. */
export async function goldenFile(
  engine: TestEngine,
  result: GoldenResult,
  format: FileFormatName,
): Promise<{ readonly bytes: Buffer; readonly stream: FileStream }> {
  const file = { format, relationSql: relationOf(result), layout: layoutOf(result), spoolDirectory: engine.spool, signal: never };
  return engine.withLease(async (lease) => {
    const stream = streamFile(lease, file);
    return { bytes: await read(stream), stream };
  });
}

async function read(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

function layoutOf({ type }: GoldenResult) {
  return { kind: 'value', column: COLUMN, type } as const;
}

function relationOf({ type, values }: GoldenResult): string {
  const rows = values.map((value) => `SELECT CAST(${value} AS ${duckType(type)}) AS ${COLUMN}`);
  return rows.length === 0 ? `SELECT CAST(NULL AS ${duckType(type)}) AS ${COLUMN} WHERE false` : rows.join(' UNION ALL ');
}
