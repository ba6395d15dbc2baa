import type { ClientTransaction, StoredTable } from '@svc/database';

import { columnsOf } from '../table-rows.ts';
import { columnNames, rowsOf } from '../types/table-columns.ts';
import { copyRows, untilRefused } from './copy-rows.ts';
import type { GatheredRows, StoredRows } from './gathered-rows.ts';
import { storeRanges } from './store-ranges.ts';

/** Rows for a table that stores every row. */
export class RowBatch implements GatheredRows {
  readonly removals: readonly never[] = [];
  readonly #table: StoredTable;
  readonly #target: string;
  readonly #rows: Buffer[] = [];

  constructor(table: StoredTable, fields: readonly string[]) {
    const names = columnNames(columnsOf(table), fields).join(', ');
    this.#table = table;
    this.#target = names === '' ? rowsOf(table.id) : `${rowsOf(table.id)} (${names})`;
  }

  get rowCount(): number {
    return this.#rows.length;
  }

  add(row: Buffer): null {
    this.#rows.push(row);
    return null;
  }

  addNothing(): void {}

  async store({ client }: ClientTransaction): Promise<StoredRows> {
    const refused = await storeRanges(this.rowCount, (from, to) =>
      untilRefused(client, this.#table, () => copyRows(client, this.#target, this.#rows.slice(from, to))),
    );
    return { rows: this.rowCount - refused.length, refused };
  }
}
