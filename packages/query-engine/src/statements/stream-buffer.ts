import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * Connection setting: the number of bytes of a stream that the engine buffers before it returns the first of it, and ahead
 * of its reader.
 */
export const STREAM_BUFFER = 'streaming_buffer_size';

/**
 * Sizes of the stream buffer in kilobytes, as the engine counts them: 16 bytes per row of text, whatever its length.
 * - `near`: two chunks of rows. The first is returned immediately, and only one thread at a time produces rows.
 * - `far`: enough for all threads to produce `countedRows` in parallel; the first is returned when the buffer is full. Two
 * fifths of it are for rows out of turn, which must hold a row group: a thread that has to stop continues only when the
 * reader has drained the buffer.
 */
const BUFFER_KILOBYTES = { near: 64, far: 13 * 1024 } as const;

/** Sets the buffer of streams that start from now on in a connection. */
export async function bufferStreams(connection: DuckDBConnection, ahead: keyof typeof BUFFER_KILOBYTES): Promise<void> {
  await connection.run(`SET ${STREAM_BUFFER} = '${BUFFER_KILOBYTES[ahead]}KB'`);
}

/** Maximum ratio between the size of texts and the size that the engine counts for them. */
const COUNTED_PART = 5;
/** Size of an element of the list that makes the engine count a text: few large ones are fast to build. */
const ELEMENT_BYTES = 8;
/** Bytes that the engine counts for a row of `countedRows` besides its text: two entries, and room for one element. */
const ROW_BYTES = 16 + 16 + ELEMENT_BYTES;

/**
 * Adds a second column, not to be read, a fifth as long as a long text: the engine accounts for the memory of a list, and so
 * stops before rows take too much.
 */
export function countedRows(sql: string): string {
  const room = `list_resize(CAST([] AS BIGINT[]), strlen(line) // ${COUNTED_PART * ELEMENT_BYTES})`;
  return `SELECT line, CASE WHEN strlen(line) > ${COUNTED_PART * ROW_BYTES} THEN ${room} END AS counted FROM (\n${sql}\n)`;
}
