import type { Generated } from 'kysely';

/** The tables of the metadata, as kysely sees them. A migration that changes a table changes its row type here. */
export interface Schema {
  readonly schema_versions: SchemaVersionRow;
  readonly namespaces: NamespaceRow;
}

/** A migration that has been applied. */
export interface SchemaVersionRow {
  readonly version: number;
  readonly name: string;
  readonly applied_at: Generated<Date>;
}

/** How often the catalogue of a namespace has changed. */
export interface NamespaceRow {
  readonly namespace: string;
  readonly version: number;
}
