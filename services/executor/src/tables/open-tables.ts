import type { CatalogTable } from '@svc/catalog';
import type { Database } from '@svc/database';
import { scanNeeds } from '@svc/pg-rows';
import { parseType, type CollectionType } from '@svc/query-language';
import type { OpenTables } from '@svc/query-runtime';
import type { SpoolLedger } from '@svc/sources';
import { scanTables, type ScannedTable } from '@svc/user-tables';

/** The source of table rows, and the spool folder they are copied to. */
export interface TableReading {
  readonly rows: Database;
  /** A folder, existing, that the engine may read. */
  readonly spoolDirectory: string;
  /** Accounts for the spool space of rows. */
  readonly ledger: SpoolLedger;
}

/** Opens the tables of a query: copies the required columns and rows out of PostgreSQL in one snapshot. */
export function tableOpener({ rows, spoolDirectory: directory, ledger }: TableReading): OpenTables {
  return async ({ plan, tables, signal }) => {
    const found = new Map([...tables].map(([name, table]) => [name, { table: name, id: table.id, type: rowsType(table) }]));
    const tableOf = (name: string) => {
      const table = found.get(name);
      if (table === undefined) throw new Error('The plan reads a table that nobody found.');
      return table;
    };
    const scanned = scanNeeds(plan, (node) =>
      node.kind === 'TableScan' ? { source: node.table, type: tableOf(node.table).type } : null,
    ).map(({ source, ...needs }): ScannedTable => ({ ...needs, ...tableOf(source) }));
    if (scanned.length === 0) return { scans: new Map(), bytes: 0, close: async () => undefined };
    let taken = 0;
    const reserve = (bytes: number): boolean => {
      const isThere = ledger.reserve(bytes);
      if (isThere) taken += bytes;
      return isThere;
    };
    const giveBack = (): void => {
      ledger.free(taken);
      taken = 0;
    };
    try {
      const { readers, bytes, close } = await scanTables(rows, { tables: scanned, directory, reserve, signal });
      return { scans: readers, bytes, close: () => close().finally(giveBack) };
    } catch (thrown) {
      giveBack();
      throw thrown;
    }
  };
}

function rowsType({ type }: CatalogTable): CollectionType {
  const parsed = parseType(type);
  if ('diagnostics' in parsed) throw new Error('The type of a stored table cannot be read.');
  // The type of a table is a collection: see parseTableType.
  return parsed.type as CollectionType;
}
