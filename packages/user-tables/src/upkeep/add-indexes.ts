import type { Database, StoredIndex, StoredTable } from '@svc/database';
import { TableStore } from '@svc/database';
import { DatabaseError } from 'pg';

import { refusalOf, refusalText } from '../append/refusal.ts';
import { columnsOf } from '../table-rows.ts';
import { columnNames, indexName, rowsOf } from '../types/table-columns.ts';
import { upkeep, type UpkeepOptions } from './upkeep.ts';

/** Result of adding indexes; 'refused': the rows violate one of them. */
export type AddedIndexes =
  | { readonly kind: 'done' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly problem: string };

/** Returns the requested indexes that a table lacks. */
export function missingIndexes({ indexes }: Pick<StoredTable, 'indexes'>, wanted: readonly StoredIndex[]): readonly StoredIndex[] {
  const keyOf = ({ fields, unique }: StoredIndex): string => JSON.stringify([fields, unique]);
  return wanted.filter((one) => !indexes.some((other) => keyOf(other) === keyOf(one)));
}

/** Adds missing indexes concurrently with readers and writers. Those built before a failure stay. */
export async function addIndexes(
  database: Database,
  { table, wanted }: { readonly table: StoredTable; readonly wanted: readonly StoredIndex[] },
  options: UpkeepOptions = {},
): Promise<AddedIndexes> {
  const missing = missingIndexes(table, wanted);
  if (missing.length === 0) return { kind: 'done' };
  const columns = columnsOf(table);
  const store = new TableStore(database);
  try {
    const kind = await upkeep(database, table, options, async (client) => {
      for (const [i, index] of missing.entries()) {
        const name = indexName(table.id, table.indexes.length + i + 1);
        const names = columnNames(columns, index.fields);
        // An interrupted build leaves an invalid index of that name.
        await client.query(`DROP INDEX CONCURRENTLY IF EXISTS user_rows.${name}`);
        try {
          await client.query(
            `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${rowsOf(table.id)} (${names.join(', ')})`,
          );
        } catch (thrown) {
          // An index that the rows violate remains, and may refuse further rows.
          if (isRefusal(thrown, table)) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS user_rows.${name}`);
          throw thrown;
        }
        await store.addIndex(table.id, index);
      }
    });
    return { kind };
  } catch (thrown) {
    const grown = { ...table, indexes: [...table.indexes, ...missing] };
    const refusal = thrown instanceof DatabaseError ? refusalOf(thrown, grown) : null;
    if (refusal === null) throw thrown;
    return { kind: 'refused', problem: refusalText(refusal) };
  }
}

function isRefusal(thrown: unknown, table: StoredTable): boolean {
  return thrown instanceof DatabaseError && refusalOf(thrown, table) !== null;
}
