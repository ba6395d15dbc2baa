import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * Connection setting: the number of bytes of a stream that the engine buffers before it returns the first of it, and ahead
 * of its reader.
 */
export const STREAM_BUFFER = 'streaming_buffer_size';

/**
 * Sizes of the stream buffer in kilobytes, as the engine counts them: 16 bytes per row of text, whatever its length.
 * - `near`: two chunks of rows. The first is returned immediately, and only one thread at a time produces rows.
 * - `short` and `counted`: enough for all threads to produce rows in parallel, for `shortRows` and `countedRows`. Two fifths
 * of it are for rows out of turn, which must hold a row group: a thread that has to stop continues only when the reader has
 * drained the buffer.
 */
const BUFFER_KILOBYTES = { near: 64, short: 6 * 1024, counted: 18 * 1024 } as const;

/** Sets the buffer of streams that start from now on in a connection. */
export async function bufferStreams(connection: DuckDBConnection, ahead: keyof typeof BUFFER_KILOBYTES): Promise<void> {
  await connection.run(`SET ${STREAM_BUFFER} = '${BUFFER_KILOBYTES[ahead]}KB'`);
}

/** Maximum length of short rows: of those the engine buffers at most 230 MB. */
export const MOST_SHORT_BYTES = 512;

/** The same rows of one column `line`, with NULL for those that are not short. */
export function shortRows(sql: string): string {
  return `SELECT CASE WHEN strlen(line) <= ${MOST_SHORT_BYTES} THEN line END AS line FROM (\n${sql}\n)`;
}

/** Maximum ratio between the size of texts and the size that the engine counts for them. */
const COUNTED_PART = 5;
/** Size of an element of the list that makes the engine count a text: few large ones are fast to build. */
const ELEMENT_BYTES = 8;
/** Bytes that the engine counts for a row of `countedRows` besides its text: two entries, and room for one element. */
const ROW_BYTES = 16 + 16 + ELEMENT_BYTES;

/**
 * Adds a second column, not to be read, a fifth as long as a long text: the engine accounts for the memory of a list, and so
 * stops before rows take too much. That takes a tenth more time than rows known to be short.
 */
export function countedRows(sql: string): string {
  const room = `list_resize(CAST([] AS BIGINT[]), strlen(line) // ${COUNTED_PART * ELEMENT_BYTES})`;
  return `SELECT line, CASE WHEN strlen(line) > ${COUNTED_PART * ROW_BYTES} THEN ${room} END AS counted FROM (\n${sql}\n)`;
}
