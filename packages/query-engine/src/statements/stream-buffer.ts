import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * The setting, of a connection, that says how many bytes of a stream the engine makes before it gives the first of it,
 * and ahead of its reader.
 */
export const STREAM_BUFFER = 'streaming_buffer_size';

/**
 * How far ahead an engine works, in kilobytes as it counts them: 16 bytes a row of text, however long that is.
 * - `near`: two chunks of rows. The first of them comes at once, and only one thread at a time makes rows.
 * - `short` and `counted`: more than all threads need to make rows at once, for `shortRows` and `countedRows`. Two
 *   fifths of it are for rows whose turn it is not yet, of which it must hold a row group: a thread that has to stop
 *   goes on only when the reader has taken all there is.
 */
const BUFFER_KILOBYTES = { near: 64, short: 6 * 1024, counted: 18 * 1024 } as const;

/** Sets how far ahead the streams of a connection are made that begin from now on. */
export async function bufferStreams(connection: DuckDBConnection, ahead: keyof typeof BUFFER_KILOBYTES): Promise<void> {
  await connection.run(`SET ${STREAM_BUFFER} = '${BUFFER_KILOBYTES[ahead]}KB'`);
}

/** Rows that are longer are not short: of shorter ones, the engine holds 230 MB at most. */
export const MOST_SHORT_BYTES = 512;

/** The same rows of one column `line`, with NULL for those that are not short. */
export function shortRows(sql: string): string {
  return `SELECT CASE WHEN strlen(line) <= ${MOST_SHORT_BYTES} THEN line END AS line FROM (\n${sql}\n)`;
}

/** Texts that are counted are up to so many times as large as what the engine counts. */
const COUNTED_PART = 5;
/** Bytes of an element of the list by which they are counted: few large ones are made quickly. */
const ELEMENT_BYTES = 8;
/** As many bytes as the engine counts of a row of `countedRows` without regard to its text: two entries, and room for one element. */
const ROW_BYTES = 16 + 16 + ELEMENT_BYTES;

/**
 * The same rows with a second column, not to be read, that is as long as a fifth of a long text: the engine counts the
 * room that a list takes, and so stops for rows that would take too much. That takes a tenth more time than rows which
 * are known to be short.
 */
export function countedRows(sql: string): string {
  const room = `list_resize(CAST([] AS BIGINT[]), strlen(line) // ${COUNTED_PART * ELEMENT_BYTES})`;
  return `SELECT line, CASE WHEN strlen(line) > ${COUNTED_PART * ROW_BYTES} THEN ${room} END AS counted FROM (\n${sql}\n)`;
}
