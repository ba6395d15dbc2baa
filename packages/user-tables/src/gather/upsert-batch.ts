import type { ClientTransaction, StoredTable } from '@svc/database';
import type { PoolClient } from 'pg';

import { MissingValue, RowError, rowProblem } from '../append/row-error.ts';
import { SOURCE_COLUMNS } from '../change/keep-latest.ts';
import { columnsOf } from '../table-rows.ts';
import { columnNames, rowsOf, type TableColumns } from '../types/table-columns.ts';
import { BinaryRows, copyBinary, untilRefused } from './binary-rows.ts';
import type { GatheredRows, MessagePlace, Removal, RowOrigin, StoredRows } from './gathered-rows.ts';
import { storeRanges } from './store-ranges.ts';
import { upsertStatements, type UpsertStatements } from './upsert-statements.ts';

type KeyedTable = StoredTable & { readonly keyFields: readonly string[] };

/**
 * Rows for a table that keeps the latest of each key, in the order of their messages: of those with the same key fields the last is stored,
 * and a message without a row removes the rows that messages with its key have stored.
 */
export class UpsertBatch implements GatheredRows {
  readonly #table: KeyedTable;
  readonly #origin: RowOrigin;
  readonly #topic: Buffer;
  readonly #columns: TableColumns;
  readonly #rows: BinaryRows;
  /** How many rows stand before each step, and what it removes where it is no row. */
  readonly #steps: { readonly rowsBefore: number; readonly removal: Removal | null }[] = [];

  constructor(table: KeyedTable, origin: RowOrigin) {
    this.#table = table;
    this.#origin = origin;
    this.#topic = Buffer.from(origin.topicId.replaceAll('-', ''), 'hex');
    this.#columns = withoutNullKeys(columnsOf(table), table.keyFields);
    this.#rows = new BinaryRows(this.#columns);
  }

  get rowCount(): number {
    return this.#rows.count;
  }

  get removals(): readonly Removal[] {
    return latestOfKeys(this.#steps.flatMap(({ removal }) => removal ?? []));
  }

  add(bytes: Buffer, range: { readonly start: number; readonly end: number }, { offset, key }: MessagePlace): string | null {
    const rowsBefore = this.rowCount;
    try {
      this.#rows.add(bytes, range, (writer) => {
        writer.bytesField(this.#topic);
        writer.int32Field(this.#origin.partition);
        writer.int64Field(offset);
        if (key === null) writer.nothing();
        else writer.bytesField(key);
        return Object.keys(SOURCE_COLUMNS).length;
      });
    } catch (thrown) {
      if (thrown instanceof MissingValue && this.#isKey(thrown.field))
        return `field ${thrown.field}: missing or null, and it is a key field of the table`;
      if (thrown instanceof RowError) return rowProblem(thrown);
      throw thrown;
    }
    this.#steps.push({ rowsBefore, removal: null });
    return null;
  }

  addNothing({ offset, key }: MessagePlace): void {
    // A message without a key has no rows but its own.
    if (key !== null) this.#steps.push({ rowsBefore: this.rowCount, removal: { key, offset } });
  }

  async store({ client }: ClientTransaction): Promise<StoredRows> {
    const { columns } = this.#columns;
    const statements = upsertStatements({
      rows: rowsOf(this.#table.id),
      columns: columns.map(({ name }) => name),
      keys: columnNames(this.#columns, this.#table.keyFields),
      isReplay: this.#origin.isReplay,
    });
    await client.query(statements.stage);
    let changed = 0;
    const steps = await storeRanges(this.#steps.length, (from, to) =>
      untilRefused(client, this.#table, async () => {
        changed += await this.#storeRange(client, statements, { from, to });
      }),
    );
    const refused = steps.map(({ row: step, problem }) => ({ row: this.#rowsBefore(step), problem }));
    // How many rows of a key come at once is chance; only of a replay it matters what was overtaken.
    return { rows: this.#origin.isReplay ? changed : this.rowCount - refused.length, refused };
  }

  /** Stores steps, and answers how many rows that has changed. */
  async #storeRange(
    client: PoolClient,
    { unstage, staged, removeRows, removeStaged, upsert }: UpsertStatements,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<number> {
    const removals = latestOfKeys(this.#steps.slice(from, to).flatMap(({ removal }) => removal ?? []));
    const removed = [removals.map(({ key }) => Buffer.from(key)), removals.map(({ offset }) => offset)];
    const { topicId, partition, isReplay } = this.#origin;
    await client.query(unstage);
    await copyBinary(client, staged, this.#rows.range(this.#rowsBefore(from), this.#rowsBefore(to)));
    if (removals.length > 0) {
      await client.query(removeRows, isReplay ? [...removed, topicId, partition] : removed);
      await client.query(removeStaged, removed);
    }
    const { rowCount } = await client.query(upsert, removed);
    return rowCount ?? 0;
  }

  #rowsBefore(step: number): number {
    return this.#steps[step]?.rowsBefore ?? this.rowCount;
  }

  #isKey(field: string | null): field is string {
    return field !== null && this.#table.keyFields.includes(field);
  }
}

function latestOfKeys(removals: readonly Removal[]): readonly Removal[] {
  return [...new Map(removals.map((removal) => [Buffer.from(removal.key).toString('latin1'), removal])).values()];
}

/** Columns of which the key fields refuse NULL, whatever their types: two rows without a value are not of the same key. */
function withoutNullKeys({ kind, columns }: TableColumns, keyFields: readonly string[]): TableColumns {
  return {
    kind,
    columns: columns.map((column) =>
      keyFields.includes(column.field.name)
        ? { ...column, field: { ...column.field, type: { ...column.field.type, isNullable: false } } }
        : column,
    ),
  };
}
