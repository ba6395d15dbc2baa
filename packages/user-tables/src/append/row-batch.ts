import type { ClientTransaction, StoredTable } from '@svc/database';
import * as copyStreams from 'pg-copy-streams';
import { DatabaseError, type PoolClient } from 'pg';

import { columnsOf } from '../table-rows.ts';
import { rowsOf } from '../types/table-columns.ts';
import { CopyWriter } from './copy-writer.ts';
import { refusalOf, refusalText } from './refusal.ts';
import { RowError } from './row-error.ts';
import { rowReader, type RowReader } from './row-reader.ts';

/** A row that the table cannot hold, by its number from 0. */
export interface RefusedRow {
  readonly row: number;
  readonly problem: string;
}

/** Room at first; it grows with the rows. */
const FIRST_BYTES = 256 * 1024;
/** After a refused row so many rows are tried at once, and twice as many each time that they are taken. */
const ROWS_AFTER_REFUSAL = 32;

/** Rows for a table, gathered in PostgreSQL's binary COPY format, to be stored in a transaction of the caller's. */
export class RowBatch {
  readonly #table: StoredTable;
  readonly #writer = new CopyWriter(FIRST_BYTES);
  readonly #reader: RowReader;
  /** Where each row begins, and where the next one would. */
  readonly #starts: number[] = [0];
  /** All rows, once the first transaction has begun. */
  #bytes: Buffer | null = null;

  constructor(table: StoredTable) {
    this.#table = table;
    this.#reader = rowReader('json-lines', columnsOf(table), this.#writer);
  }

  get rowCount(): number {
    return this.#starts.length - 1;
  }

  /** Adds a row, given as JSON in some bytes; answers what is wrong with it, and then adds nothing. */
  add(bytes: Buffer, start: number, end: number): string | null {
    const position = this.#writer.position();
    try {
      this.#reader.take(bytes, start, end);
    } catch (thrown) {
      if (!(thrown instanceof RowError)) throw thrown;
      this.#writer.rewind(position);
      return thrown.field === null ? thrown.message : `field ${thrown.field}: ${thrown.message}`;
    }
    this.#starts.push(this.#writer.position());
    return null;
  }

  /**
   * Stores all rows but those that the table refuses, in their order, and answers those. It can be done again in another transaction; no
   * row can be added then. Throws what is wrong with the database.
   */
  async store({ client }: ClientTransaction): Promise<readonly RefusedRow[]> {
    const bytes = (this.#bytes ??= this.#writer.takeRest());
    const starts = this.#starts;
    const total = this.rowCount;
    const refused: RefusedRow[] = [];
    for (let [from, many] = [0, total]; from < total;) {
      const to = Math.min(from + many, total);
      const refusal = await this.#tryRange(client, bytes.subarray(starts[from], starts[to]));
      if (refusal === null) [from, many] = [to, many * 2];
      else {
        const row = from + (refusal.row ?? 0);
        // Those before it were taken, and are gone with it.
        if (refusal.row !== null && row > from) {
          const again = await this.#tryRange(client, bytes.subarray(starts[from], starts[row]));
          if (again !== null) throw new Error('rows that the table took once were refused');
        }
        if (refusal.row !== null || to - from === 1) {
          refused.push({ row, problem: refusal.problem });
          from = row + 1;
        }
        many = refusal.row === null ? Math.max(1, (to - from) >> 1) : ROWS_AFTER_REFUSAL;
      }
    }
    return refused;
  }

  /** The refusal of a row, counted from the first of these; nothing is stored then. */
  async #tryRange(client: PoolClient, rows: Buffer): Promise<{ readonly row: number | null; readonly problem: string } | null> {
    await client.query('SAVEPOINT rows');
    try {
      await this.#copy(client, rows);
    } catch (thrown) {
      const refusal = thrown instanceof DatabaseError ? refusalOf(thrown, this.#table) : null;
      if (refusal === null) throw thrown;
      await client.query('ROLLBACK TO SAVEPOINT rows');
      return { row: refusal.row, problem: refusalText(refusal) };
    }
    await client.query('RELEASE SAVEPOINT rows');
    return null;
  }

  async #copy(client: PoolClient, rows: Buffer): Promise<void> {
    const { columns } = columnsOf(this.#table);
    const names = columns.length === 0 ? '' : `(${columns.map(({ name }) => name).join(', ')})`;
    const sink = client.query(copyStreams.from(`COPY ${rowsOf(this.#table.id)} ${names} FROM STDIN (FORMAT binary)`));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    sink.once('error', reject).once('finish', resolve);
    sink.write(HEADER);
    sink.write(rows);
    sink.end(TRAILER);
    await promise;
  }
}

const HEADER = written((writer) => writer.header());
const TRAILER = written((writer) => writer.trailer());

function written(write: (writer: CopyWriter) => void): Buffer {
  const writer = new CopyWriter(0);
  write(writer);
  return Buffer.from(writer.takeRest());
}
