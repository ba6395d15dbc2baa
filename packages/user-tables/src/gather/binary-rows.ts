import type { StoredTable } from '@svc/database';
import * as copyStreams from 'pg-copy-streams';
import { DatabaseError, type PoolClient } from 'pg';

import { CopyWriter } from '../append/copy-writer.ts';
import { refusalOf, refusalText } from '../append/refusal.ts';
import { RowError } from '../append/row-error.ts';
import { rowReader, type RowReader } from '../append/row-reader.ts';
import type { TableColumns } from '../types/table-columns.ts';
import type { RangeRefusal } from './store-ranges.ts';

/** Room at first; it grows with the rows. */
const FIRST_BYTES = 256 * 1024;

/** Rows in PostgreSQL's binary COPY format, read from JSON. */
export class BinaryRows {
  readonly #writer = new CopyWriter(FIRST_BYTES);
  readonly #reader: RowReader;
  /** Where each row begins, and where the next one would. */
  readonly #starts: number[] = [0];
  /** All rows, once the first of them are taken. */
  #bytes: Buffer | null = null;

  constructor(columns: TableColumns) {
    this.#reader = rowReader('json-lines', columns, this.#writer);
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  /** Adds a row, given as JSON in some bytes; `append` writes fields behind those of the table. Throws RowError, having added nothing. */
  add(bytes: Buffer, { start, end }: { readonly start: number; readonly end: number }, append?: (writer: CopyWriter) => number): void {
    const writer = this.#writer;
    const position = writer.position();
    try {
      this.#reader.take(bytes, start, end);
    } catch (thrown) {
      if (thrown instanceof RowError) writer.rewind(position);
      throw thrown;
    }
    if (append !== undefined) writer.addToInt16(position, append(writer));
    this.#starts.push(writer.position());
  }

  /** Some of the rows; none can be added then. */
  range(from: number, to: number): Buffer {
    const bytes = (this.#bytes ??= this.#writer.takeRest());
    return bytes.subarray(this.#starts[from], this.#starts[to]);
  }
}

/** Sends rows in the binary COPY format. `target` is a table with its columns, as SQL. */
export async function copyBinary(client: PoolClient, target: string, rows: Buffer): Promise<void> {
  const sink = client.query(copyStreams.from(`COPY ${target} FROM STDIN (FORMAT binary)`));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  sink.once('error', reject).once('finish', resolve);
  sink.write(HEADER);
  sink.write(rows);
  sink.end(TRAILER);
  await promise;
}

const HEADER = written((writer) => writer.header());
const TRAILER = written((writer) => writer.trailer());

function written(write: (writer: CopyWriter) => void): Buffer {
  const writer = new CopyWriter(0);
  write(writer);
  return Buffer.from(writer.takeRest());
}

/** Does some work of a transaction, or undoes it where the table refuses a row of it. Throws what is wrong with the database. */
export async function untilRefused(client: PoolClient, table: StoredTable, work: () => Promise<void>): Promise<RangeRefusal | null> {
  await client.query('SAVEPOINT rows');
  try {
    await work();
  } catch (thrown) {
    const refusal = thrown instanceof DatabaseError ? refusalOf(thrown, table) : null;
    if (refusal === null) throw thrown;
    await client.query('ROLLBACK TO SAVEPOINT rows');
    return { row: refusal.row, problem: refusalText(refusal) };
  }
  await client.query('RELEASE SAVEPOINT rows');
  return null;
}
