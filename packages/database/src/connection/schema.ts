import type { ColumnType, Generated } from 'kysely';

/** The tables of the metadata, as kysely sees them. A migration that changes a table changes its row type here. */
export interface Schema {
  readonly schema_versions: SchemaVersionRow;
  readonly namespaces: NamespaceRow;
  readonly named_objects: NamedObjectRow;
  readonly views: ViewRow;
  readonly tables: TableRow;
  readonly packages: PackageRow;
  readonly append_keys: AppendKeyRow;
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

/** A name of a namespace that is taken by a view or a table. */
export interface NamedObjectRow {
  readonly namespace: string;
  readonly name_key: string;
  readonly name: string;
  readonly kind: 'view' | 'table';
}

/** A stored query. */
export interface ViewRow extends StoredTextRow {
  readonly kind: Generated<'view'>;
}

/** Stored code. */
export type PackageRow = StoredTextRow;

/** A table of rows that users own; `id` names where the rows are. */
export interface TableRow extends NamedRow {
  readonly id: Generated<number>;
  readonly kind: Generated<'table'>;
  readonly type: string;
  readonly indexes: Json<readonly StoredIndex[]>;
  readonly location: string | null;
}

/** An upload of rows that was stored under a key; digest and number are null until it is complete, which nobody else sees. */
export interface AppendKeyRow {
  readonly table_id: number;
  readonly key: string;
  readonly digest: Buffer | null;
  readonly row_count: number | null;
  readonly created_at: Generated<Date>;
}

/** Something stored that a view or a package uses, by its name. */
export interface StoredUse {
  readonly kind: 'view' | 'table' | 'package';
  readonly name: string;
}

/** An index of a user table; `name` is null where none was given. */
export interface StoredIndex {
  readonly name: string | null;
  readonly fields: readonly string[];
  readonly unique: boolean;
}

interface NamedRow {
  readonly namespace: string;
  readonly name_key: string;
  readonly name: string;
  readonly created_at: Generated<Date>;
  readonly updated_at: ColumnType<Date | null, never, Date | null>;
}

interface StoredTextRow extends NamedRow {
  readonly text: string;
  readonly type: string;
  readonly uses: Json<readonly StoredUse[]>;
}

/** Comes as a value, is sent as JSON text. */
type Json<Value> = ColumnType<Value, string, string>;
