/**
 * The last row of every streamed statement. Once its first megabyte is buffered, the engine ends a stream that failed
 * as it ends one that is complete; only the statement that ran to its end delivers this row. No other row can be it:
 * each ends in its line ending, or begins with a comma.
 */
export const STREAM_END = '--end--';

/**
 * A one-row table of every engine, with the sentinel in its column `line`. The engine produces the rows of a stream on
 * several threads, and in order, only if it can number the parts of everything that it reads: tables and files, but not
 * `SELECT 'text'`.
 */
export const STREAM_END_TABLE = 'memory.main.stream_end';

/** Adds the sentinel row to a statement of one text column: the rows keep their order. */
export function withStreamEnd(rowsSql: string): string {
  return `${rowsSql}\nUNION ALL SELECT line FROM ${STREAM_END_TABLE}`;
}
