import { DatabaseError, type ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** What is copied out of PostgreSQL. */
export interface CopyRows {
  /** In a transaction of its own that is open. */
  readonly client: ClientBase;
  /** A SELECT. */
  readonly select: string;
  readonly signal: AbortSignal;
  /** Ends the session, or what it does: called where the copy is left before its end. */
  readonly abort: () => void;
}

const PIECE_BYTES = 1024 * 1024;

/** Yields rows as COPY writes its text format. Fails with the signal's reason where it was aborted; `abort` has been called then. */
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
    // The server still sends rows that nobody takes: it would never come to the end of the transaction.
    if (!isOver) abort();
  }
}
