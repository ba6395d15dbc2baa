import type { ClientTransaction, StoredTable } from '@svc/database';

import { RowError, rowProblem } from '../append/row-error.ts';
import { columnsOf } from '../table-rows.ts';
import { rowsOf } from '../types/table-columns.ts';
import { BinaryRows, copyBinary, untilRefused } from './binary-rows.ts';
import type { GatheredRows, StoredRows } from './gathered-rows.ts';
import { storeRanges } from './store-ranges.ts';

/** Rows for a table that keeps every row. */
export class RowBatch implements GatheredRows {
  readonly removals: readonly never[] = [];
  readonly #table: StoredTable;
  readonly #target: string;
  readonly #rows: BinaryRows;

  constructor(table: StoredTable) {
    const columns = columnsOf(table);
    const names = columns.columns.map(({ name }) => name).join(', ');
    this.#table = table;
    this.#target = names === '' ? rowsOf(table.id) : `${rowsOf(table.id)} (${names})`;
    this.#rows = new BinaryRows(columns);
  }

  get rowCount(): number {
    return this.#rows.count;
  }

  add(bytes: Buffer, range: { readonly start: number; readonly end: number }): string | null {
    try {
      this.#rows.add(bytes, range);
      return null;
    } catch (thrown) {
      if (thrown instanceof RowError) return rowProblem(thrown);
      throw thrown;
    }
  }

  addNothing(): void {}

  async store({ client }: ClientTransaction): Promise<StoredRows> {
    const refused = await storeRanges(this.rowCount, (from, to) =>
      untilRefused(client, this.#table, () => copyBinary(client, this.#target, this.#rows.range(from, to))),
    );
    return { rows: this.rowCount - refused.length, refused };
  }
}
