import type { DuckDBDataChunk, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';

import { markHandled } from '@svc/concurrency';
import type { EngineLease } from '../instances/engine-lease.ts';
import { EngineFailure, interrupted } from './engine-failure.ts';
import type { Statement } from './run-statement.ts';
import { STREAM_END } from './stream-end.ts';
import { bufferStreams, countedRows } from './stream-buffer.ts';
import { readTextVector, type RowRange, type TextVector } from './text-segments.ts';

const END_BYTES = STREAM_END.length;

/** A statement whose rows are texts, to be streamed: one VARCHAR column, never NULL, created by `withStreamEnd` unless `isWhole`. */
export interface TextStatement extends Statement {
  /** Version of the sources: the statement may be prepared once for all runs with the same version; absent if it cannot be reused. */
  readonly version?: string | undefined;
  /** True if the statement has few rows, and no sentinel: its result is fetched as a whole. */
  readonly isWhole?: boolean | undefined;
  /** True if many rows are likely, and the first of them soon: all threads may produce them, far ahead of the reader. */
  readonly isLong?: boolean | undefined;
  /** Stop before the row that would make more bytes than this. */
  readonly maxBytes?: number | undefined;
  /** Returns the reason of a stream that broke off; by default the failure is an internal one without a reason. */
  readonly explain?: (() => Promise<EngineFailure>) | undefined;
}

/** Progress of a stream. */
export interface TextProgress {
  readonly rows: number;
  readonly bytes: number;
  /** True if it stopped at `maxBytes`, with rows left. */
  readonly isTruncated: boolean;
}

/** The bytes of the rows, in chunks of up to some 2000 rows, owned by the reader. Can be read once. */
export interface TextStream extends AsyncIterable<Uint8Array> {
  readonly progress: () => TextProgress;
}

/**
 * Runs a statement and streams the text of its rows, under back-pressure. It ends without a failure only after the last row,
 * or at `maxBytes`. Fails with an EngineFailure.
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
      yield* take(texts, { from: 0, to: texts.rows }, { statement, progress });
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

/** Streams rows that one thread at a time produces; far ahead of its reader, those of a long stream, while there are permits. */
async function* streamed(
  lease: EngineLease,
  prepared: DuckDBPreparedStatement | null,
  statement: TextStatement,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  const { sql, parameters, signal } = statement;
  const values = parameters === undefined ? undefined : [...parameters];
  const far = statement.isLong === true ? lease.takeFarPermit() : null;
  try {
    if (far !== null) {
      const result = await lease.run(signal, async (connection) => {
        await bufferStreams(connection, 'far');
        return connection.stream(countedRows(sql), values);
      });
      yield* rowsOf(lease, result, { statement, progress, canBeUsedAgain: false });
      return;
    }
    const result = await (prepared === null
      ? lease.run(signal, (connection) => connection.stream(sql, values))
      : lease.step(signal, () => prepared.stream()));
    yield* rowsOf(lease, result, { statement, progress, canBeUsedAgain: prepared !== null });
  } finally {
    far?.release();
  }
}

interface Reading {
  readonly statement: TextStatement;
  readonly progress: Progress;
  /** The stream is closed at its end, so that the connection can be used on. */
  readonly canBeUsedAgain: boolean;
}

/** Yields the rows of a stream, and closes it in any case. */
async function* rowsOf(
  lease: EngineLease,
  result: DuckDBResult,
  { statement, progress, canBeUsedAgain }: Reading,
): AsyncGenerator<Uint8Array> {
  const { signal } = statement;
  let isClosed = false;
  try {
    for (let ahead = nextTexts(lease, result, signal); ;) {
      const texts = await ahead;
      if (texts === null) throw await brokenOff(statement);
      const hasEnded = isEnd(texts);
      // The engine produces the next chunk while this one is read. At the end, requesting another one closes the stream.
      if (!hasEnded || canBeUsedAgain) ahead = markHandled(nextTexts(lease, result, signal));
      const pieces = take(texts, { from: 0, to: hasEnded ? texts.rows - 1 : texts.rows }, { statement, progress });
      texts.close();
      yield* pieces;
      if (progress.isTruncated) return;
      if (!hasEnded) continue;
      isClosed = canBeUsedAgain && (await ahead) === null;
      return;
    }
  } finally {
    if (!isClosed) await lease.endStream(result);
  }
}

/** The bytes of some rows, as many as still fit. */
function take(
  texts: TextVector,
  { from, to }: RowRange,
  { statement, progress }: { readonly statement: TextStatement; readonly progress: Progress },
): readonly Uint8Array[] {
  const end = endThatFits(texts, { from, to }, (statement.maxBytes ?? Infinity) - progress.bytes);
  const pieces = texts.pieces(from, end);
  progress.rows += end - from;
  for (const piece of pieces) progress.bytes += piece.byteLength;
  progress.isTruncated = end < to;
  return pieces;
}

/** Returns the texts of the next rows, or null if there are none. */
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

function endThatFits(texts: TextVector, { from, to }: RowRange, room: number): number {
  if (room === Infinity) return to;
  let used = 0;
  for (let row = from; row < to; row++) {
    used += texts.length(row);
    if (used > room) return row;
  }
  return to;
}

async function brokenOff({ signal, explain }: TextStatement): Promise<EngineFailure> {
  if (signal.aborted) return interrupted(signal);
  if (explain !== undefined) return explain();
  return new EngineFailure('internal', 'the query failed', { cause: new Error('The stream broke off.') });
}
