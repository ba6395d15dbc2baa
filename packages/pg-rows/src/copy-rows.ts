import { DatabaseError, type ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** A copy of rows out of PostgreSQL. */
export interface CopyRows {
  /** In an open transaction of its own. */
  readonly client: ClientBase;
  /** A SELECT. */
  readonly select: string;
  readonly signal: AbortSignal;
  /** Ends the session or its statement; called if the copy is abandoned before its end. */
  readonly abort: () => void;
}

const PIECE_BYTES = 1024 * 1024;

/** Yields rows in COPY's text format. Throws the signal's reason if aborted, after calling `abort`. */
export async function* copyRows({ client, select, signal, abort }: CopyRows): AsyncGenerator<Buffer> {
  signal.throwIfAborted(); // what was aborted meanwhile tells nobody any more
  const stream = client.query(copyTo(`COPY (${select}) TO STDOUT`, { highWaterMark: PIECE_BYTES }));
  const stop = (): void => {
    abort();
    stream.destroy(new Error('the query was cancelled'));
  };
  signal.addEventListener('abort', stop, { once: true });
  let isOver = false;
  try {
    for await (const piece of stream) yield piece as Buffer; // no encoding is set
    isOver = true;
  } catch (thrown) {
    isOver = thrown instanceof DatabaseError;
    throw thrown;
  } finally {
    signal.removeEventListener('abort', stop);
    // The server still sends rows that are not read: the transaction could never end.
    if (!isOver) abort();
  }
}

/** Returns the number of rows of a SELECT, counted by PostgreSQL. Throws as `copyRows` does. */
export async function countRows(rows: CopyRows): Promise<number> {
  const pieces: Buffer[] = [];
  for await (const piece of copyRows({ ...rows, select: `SELECT COUNT(*) FROM (${rows.select}) AS r` })) pieces.push(piece);
  return Number(Buffer.concat(pieces).toString());
}
