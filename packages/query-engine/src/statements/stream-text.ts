import type { DuckDBDataChunk, DuckDBPreparedStatement, DuckDBResult, DuckDBValue } from '@duckdb/node-api';

import type { EngineLease } from '../instances/engine-lease.ts';
import { EngineFailure } from './engine-failure.ts';
import { lookLater } from './look-later.ts';
import { STREAM_END } from './stream-end.ts';
import { readTextVector, type TextVector } from './text-segments.ts';

const END_BYTES = STREAM_END.length;

export interface TextStatement {
  /** One VARCHAR column, never NULL, made by `withStreamEnd` unless `isWhole`. */
  readonly sql: string;
  /** Values of `$1`, `$2`, …. */
  readonly parameters?: readonly DuckDBValue[] | undefined;
  readonly signal: AbortSignal;
  /** The statement may be prepared once for all runs with the same version of what it reads; absent where it cannot. */
  readonly version?: string | undefined;
  /** The statement has few rows, and no sentinel: its result is fetched whole. */
  readonly isWhole?: boolean | undefined;
  /** Stop before the row that would make more bytes than this. */
  readonly maxBytes?: number | undefined;
  /** Asked for the reason where the stream broke off; by default the failure is an internal one without a reason. */
  readonly explain?: (() => Promise<EngineFailure>) | undefined;
}

/** How far a stream got. */
export interface TextProgress {
  readonly rows: number;
  readonly bytes: number;
  /** It stopped at `maxBytes`, with rows left. */
  readonly isTruncated: boolean;
}

/** The bytes of the rows, in pieces of up to some 2000 rows, which belong to the reader. Can be read once. */
export interface TextStream extends AsyncIterable<Uint8Array> {
  readonly progress: () => TextProgress;
}

/**
 * Runs a statement and gives the text of its rows as it comes; not reading holds the engine back. It ends without a
 * failure only when the last row was seen, or at `maxBytes`. Fails with an EngineFailure.
 */
export function streamText(lease: EngineLease, statement: TextStatement): TextStream {
  const progress = { rows: 0, bytes: 0, isTruncated: false };
  return {
    progress: () => ({ ...progress }),
    [Symbol.asyncIterator]: () => pieces(lease, statement, progress),
  };
}

type Progress = { -readonly [key in keyof TextProgress]: TextProgress[key] };

async function* pieces(lease: EngineLease, statement: TextStatement, progress: Progress): AsyncGenerator<Uint8Array> {
  const prepared = statement.version === undefined ? null : await prepare(lease, statement, statement.version);
  if (statement.isWhole === true) {
    const pieces = await wholeResult(lease, prepared, statement);
    for (const texts of pieces) {
      yield* take(texts, texts.rows, { statement, progress });
      if (progress.isTruncated) return;
    }
    return;
  }
  yield* streamed(lease, prepared, statement, progress);
}

async function prepare(lease: EngineLease, { sql, parameters, signal }: TextStatement, version: string): Promise<DuckDBPreparedStatement> {
  const prepared = await lease.prepare(signal, { sql, version });
  if (parameters !== undefined) prepared.bind([...parameters]);
  return prepared;
}

async function wholeResult(
  lease: EngineLease,
  prepared: DuckDBPreparedStatement | null,
  { sql, parameters, signal }: TextStatement,
): Promise<readonly TextVector[]> {
  const result =
    prepared === null
      ? await lease.run(signal, (connection) => connection.run(sql, parameters === undefined ? undefined : [...parameters]))
      : await lease.step(signal, () => prepared.run());
  return Array.from({ length: result.chunkCount }, (_, i) => readTexts(result.getChunk(i)));
}

async function* streamed(
  lease: EngineLease,
  prepared: DuckDBPreparedStatement | null,
  statement: TextStatement,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  const { sql, parameters, signal } = statement;
  let isClosed = false;
  let result: DuckDBResult | null = null;
  try {
    result =
      prepared === null
        ? await lease.run(signal, (connection) => connection.stream(sql, parameters === undefined ? undefined : [...parameters]))
        : await lease.step(signal, () => prepared.stream());
    for (let ahead = nextTexts(lease, result, signal); ;) {
      const texts = await ahead;
      if (texts === null) throw await brokenOff(statement);
      const hasEnded = isEnd(texts);
      // While this is read the engine makes the next. At the end it closes the stream when it is asked for more.
      if (!hasEnded || prepared !== null) ahead = lookLater(nextTexts(lease, result, signal));
      const pieces = take(texts, hasEnded ? texts.rows - 1 : texts.rows, { statement, progress });
      texts.close();
      yield* pieces;
      if (progress.isTruncated) return;
      if (!hasEnded) continue;
      isClosed = prepared !== null && (await ahead) === null;
      return;
    }
  } finally {
    if (!isClosed && result !== null) await lease.endStream(result);
  }
}

/** The bytes of the first `rows`, as many as still fit. */
function take(
  texts: TextVector,
  rows: number,
  { statement, progress }: { readonly statement: TextStatement; readonly progress: Progress },
): readonly Uint8Array[] {
  const fitting = rowsThatFit(texts, rows, (statement.maxBytes ?? Infinity) - progress.bytes);
  const pieces = texts.pieces(0, fitting);
  progress.rows += fitting;
  for (const piece of pieces) progress.bytes += piece.byteLength;
  progress.isTruncated = fitting < rows;
  return pieces;
}

async function nextTexts(lease: EngineLease, result: DuckDBResult, signal: AbortSignal): Promise<TextVector | null> {
  const chunk = await lease.step(signal, () => result.fetchChunk());
  return chunk === null || chunk.rowCount === 0 ? null : readTexts(chunk);
}

function readTexts(chunk: DuckDBDataChunk): TextVector {
  const texts = readTextVector(chunk);
  if (texts === null)
    throw new EngineFailure('internal', 'the query engine failed', { cause: new Error('A row of a text stream is NULL.') });
  return texts;
}

function isEnd(texts: TextVector): boolean {
  const last = texts.rows - 1;
  return texts.length(last) === END_BYTES && Buffer.concat(texts.pieces(last, last + 1)).toString() === STREAM_END;
}

function rowsThatFit(texts: TextVector, rows: number, room: number): number {
  if (room === Infinity) return rows;
  let used = 0;
  for (let row = 0; row < rows; row++) {
    used += texts.length(row);
    if (used > room) return row;
  }
  return rows;
}

async function brokenOff({ signal, explain }: TextStatement): Promise<EngineFailure> {
  if (signal.aborted) return new EngineFailure('interrupted', 'the query was cancelled', { cause: signal.reason });
  if (explain !== undefined) return explain();
  return new EngineFailure('internal', 'the query failed', { cause: new Error('The stream broke off.') });
}
