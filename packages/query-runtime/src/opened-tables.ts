import type { CatalogTable } from '@svc/catalog';
import { tableFileReader, type ReaderRelation } from '@svc/query-engine';
import { parseType, type Plan } from '@svc/query-language';

/** The rows of the user tables of one run, as they were at one instant. */
export interface OpenedTables {
  /** By the table's name in the plan. */
  readonly scans: ReadonlyMap<string, ReaderRelation>;
  /** Size of the data that the engine reads. */
  readonly bytes: number;
  /** Releases the rows' spool space; called when no statement reads them any more. */
  readonly close: () => Promise<void>;
}

/** Opens the tables that a plan reads, by name. Fails with a QueryFailure if a table was deleted. */
export type OpenTables = (request: {
  readonly plan: Plan;
  readonly tables: ReadonlyMap<string, CatalogTable>;
  readonly signal: AbortSignal;
}) => Promise<OpenedTables>;

/** Returns the relation of a table before a run: plans are lowered over it as a check, and it is never read. */
export function unopenedTable({ type: text }: CatalogTable): ReaderRelation {
  const parsed = parseType(text);
  if (!('type' in parsed) || parsed.type.kind !== 'CollectionType') throw new Error(`The type of a stored table cannot be read: ${text}`);
  const { type } = parsed;
  return tableFileReader({ path: '', type, fields: [], maxRowBytes: 0 });
}
