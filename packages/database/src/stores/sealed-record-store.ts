import { sql, type Kysely, type RawBuilder } from 'kysely';

import type { Schema } from '../connection/schema.ts';

/** A table with a column of sealed secrets, and the columns of the record binding. */
export interface SealedTable {
  readonly table: keyof Schema;
  /** The column of the primary key. */
  readonly id: string;
  readonly sealed: string;
  readonly owner: string;
  /** A column, or the one kind of all rows. */
  readonly kind: { readonly column: string } | { readonly value: string };
  readonly name: string;
}

/** Every table with secrets, for the rotation of the master key. A new table gets its line here. */
export const SEALED_TABLES: readonly SealedTable[] = [
  { table: 'credentials', id: 'id', sealed: 'sealed', owner: 'subject', kind: { column: 'kind' }, name: 'name' },
  { table: 'api_keys', id: 'id', sealed: 'sealed', owner: 'namespace', kind: { value: 'api-key' }, name: 'id' },
  { table: 'streams', id: 'id', sealed: 'sealed_password', owner: 'namespace', kind: { value: 'stream' }, name: 'name' },
];

/** A sealed secret with the record that it is bound to. */
export interface SealedRecord {
  readonly id: string | number;
  readonly owner: string;
  readonly kind: string;
  readonly name: string;
  readonly sealed: Buffer;
}

/** The records of a table whose sealed value does not begin with a prefix. */
export interface SealedOtherwise {
  readonly table: SealedTable;
  readonly prefix: Buffer;
}

/** Sealed secrets of any table, for a rotation of the master key. */
export class SealedRecordStore {
  readonly #db: Kysely<Schema>;

  constructor({ db }: { readonly db: Kysely<Schema> }) {
    this.#db = db;
  }

  /** Returns the number of such records. */
  async count(of: SealedOtherwise): Promise<number> {
    const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(of.table.table)} WHERE ${isOther(of)}`.execute(
      this.#db,
    );
    return rows[0]?.count ?? 0;
  }

  /** Returns at most `limit` of them, by id, after the given id. */
  async list(of: SealedOtherwise, { after, limit }: { readonly after: SealedRecord['id'] | null; readonly limit: number }) {
    const { table, id, sealed, owner, kind, name } = of.table;
    const kindOf = 'column' in kind ? sql.ref(kind.column) : sql`${kind.value}::text`;
    const { rows } = await sql<SealedRecord>`
      SELECT ${sql.ref(id)} AS id, ${sql.ref(owner)} AS owner, ${kindOf} AS kind, ${sql.ref(name)}::text AS name, ${sql.ref(sealed)} AS sealed
      FROM ${sql.table(table)}
      WHERE ${isOther(of)} ${after === null ? sql`` : sql`AND ${sql.ref(id)} > ${after}`}
      ORDER BY ${sql.ref(id)} LIMIT ${limit}`.execute(this.#db);
    return rows;
  }

  /** Replaces a sealed value if it is unchanged since it was read; false if it was changed or deleted meanwhile. */
  async replace({ table, id, sealed }: SealedTable, record: SealedRecord, by: Buffer): Promise<boolean> {
    const { numAffectedRows } = await sql`
      UPDATE ${sql.table(table)} SET ${sql.ref(sealed)} = ${by}
      WHERE ${sql.ref(id)} = ${record.id} AND ${sql.ref(sealed)} = ${record.sealed}`.execute(this.#db);
    return numAffectedRows === 1n;
  }
}

function isOther({ table, prefix }: SealedOtherwise): RawBuilder<boolean> {
  return sql`substring(${sql.ref(table.sealed)} FROM 1 FOR ${prefix.length}::integer) <> ${prefix}`;
}
