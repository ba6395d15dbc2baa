import type { ClientTransaction, StoredTable } from '@svc/database';
import type { PoolClient } from 'pg';

import { columnsOf } from '../table-rows.ts';
import { columnNames, rowsOf, type TableColumns } from '../types/table-columns.ts';
import { copyRows, untilRefused } from './copy-rows.ts';
import type { GatheredRows, MessagePlace, Removal, RowOrigin, StoredRows } from './gathered-rows.ts';
import { storeRanges } from './store-ranges.ts';
import { upsertStatements, type UpsertStatements } from './upsert-statements.ts';

type KeyedTable = StoredTable & { readonly keyFields: readonly string[] };

/**
 * Rows for a table that stores the latest row of each key, in message order. The last row with the same key fields is
 * stored. A message without a row removes the rows stored by messages with its key.
 */
export class UpsertBatch implements GatheredRows {
  readonly #table: KeyedTable;
  readonly #origin: RowOrigin;
  readonly #columns: TableColumns;
  readonly #rows: Buffer[] = [];
  /** Number of rows before each step, and its removal if it is not a row. */
  readonly #steps: { readonly rowsBefore: number; readonly removal: Removal | null }[] = [];

  constructor(table: KeyedTable, origin: RowOrigin) {
    this.#table = table;
    this.#origin = origin;
    this.#columns = columnsOf(table);
  }

  get rowCount(): number {
    return this.#rows.length;
  }

  get removals(): readonly Removal[] {
    return latestOfKeys(this.#steps.flatMap(({ removal }) => removal ?? []));
  }

  add(row: Buffer, { offset, key }: MessagePlace): string | null {
    const field = this.#nullKeyOf(row);
    if (field !== undefined) return `field ${field}: missing or null, and it is a key field of the table`;
    this.#steps.push({ rowsBefore: this.rowCount, removal: null });
    const { topicId, partition } = this.#origin;
    const source = [topicId, partition, offset, key === null ? NULL_CELL : `\\\\x${Buffer.from(key).toString('hex')}`];
    this.#rows.push(Buffer.concat([row.subarray(0, -1), Buffer.from(`\t${source.join('\t')}\n`)]));
    return null;
  }

  addNothing({ offset, key }: MessagePlace): void {
    // A message without a key has no rows but its own.
    if (key !== null) this.#steps.push({ rowsBefore: this.rowCount, removal: { key, offset } });
  }

  async store({ client }: ClientTransaction): Promise<StoredRows> {
    const statements = upsertStatements({
      rows: rowsOf(this.#table.id),
      columns: this.#columns.columns.map(({ name }) => name),
      given: columnNames(this.#columns, this.#origin.fields),
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
    // The number of rows per key in a batch is arbitrary; only for a replay does it matter which were superseded.
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
    await copyRows(client, staged, this.#rows.slice(this.#rowsBefore(from), this.#rowsBefore(to)));
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

  /** A key field without a value: two rows that lack one are not of the same key. */
  #nullKeyOf(row: Buffer): string | undefined {
    const cells = row.toString('latin1', 0, row.byteLength - 1).split('\t');
    const { fields } = this.#origin;
    return this.#table.keyFields.find((field) => (cells[fields.indexOf(field)] ?? NULL_CELL) === NULL_CELL);
  }
}

/** NULL in the text format of COPY. */
const NULL_CELL = '\\N';

function latestOfKeys(removals: readonly Removal[]): readonly Removal[] {
  return [...new Map(removals.map((removal) => [Buffer.from(removal.key).toString('latin1'), removal])).values()];
}
