import type { CatalogTable } from '@svc/catalog';
import { tableFileReader, type Relation } from '@svc/query-engine';
import { parseType, type Plan } from '@svc/query-language';

/** The rows of the user tables of one run, as they were at one instant. */
export interface OpenedTables {
  /** By the table's name as the plan has it. */
  readonly scans: ReadonlyMap<string, Relation>;
  /** Size of what the engine reads. */
  readonly bytes: number;
  /** Gives back what the rows took; called when no statement reads them any more. */
  readonly close: () => Promise<void>;
}

/** Opens what a plan needs of tables, given by their names. Fails with a QueryFailure where a table is gone. */
export type OpenTables = (request: {
  readonly plan: Plan;
  readonly tables: ReadonlyMap<string, CatalogTable>;
  readonly signal: AbortSignal;
}) => Promise<OpenedTables>;

/** The relation of a table before a run: a plan is lowered over it to see that it can be, and it is never read. */
export function unopenedTable({ type: text }: CatalogTable): Relation {
  const parsed = parseType(text);
  if (!('type' in parsed) || parsed.type.kind !== 'CollectionType') throw new Error(`The type of a stored table cannot be read: ${text}`);
  const { type } = parsed;
  return tableFileReader({ path: '', type, fields: [], maxRowBytes: 0 });
}
