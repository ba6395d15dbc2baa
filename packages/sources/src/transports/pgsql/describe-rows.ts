import type { Client } from 'pg';

import { trimEnd } from '../../trim-end.ts';
import type { DescribedColumn, PgEncoding } from './pg-column.ts';

/** Rows on a server: of a table, or of the author's SQL. */
export type PgRows =
  | {
      readonly kind: 'table';
      readonly schema: string;
      readonly table: string;
      /** Set if the user may read only these. */
      readonly columns?: readonly string[];
    }
  | { readonly kind: 'query'; readonly sql: string };

/** Rows with PostgreSQL's description of their columns. */
export interface DescribedRows extends PgEncoding {
  readonly columns: readonly DescribedColumn[];
}

/** SQL of the rows, as an item of FROM without an alias. */
export function rowsSql(rows: PgRows): string {
  if (rows.kind === 'table') {
    const table = `${quoted(rows.schema)}.${quoted(rows.table)}`;
    return rows.columns === undefined ? table : `(SELECT ${rows.columns.map(quoted).join(', ')} FROM ${table})`;
  }
  // The line break ends a comment at the end of it.
  return `(${trimEnd(rows.sql, /[\s;]/)}\n)`;
}

/** A name in double quotes. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const PREFIX = 'SELECT * FROM ';

/**
 * Reads the columns of rows from a server, within a transaction, without reading rows. Uses the extended protocol, which
 * accepts one statement only: described SQL cannot contain a second one.
 */
export async function describeRows(client: Client, rows: PgRows): Promise<DescribedRows> {
  const { fields } = await client.query({
    text: `${PREFIX}${rowsSql(rows)} AS q LIMIT 0`,
    values: [],
    queryMode: 'extended',
  } as { readonly text: string; readonly values: never[] }); // the types do not know the mode, and without a value it is the simple one
  const asked = [
    fields.map(({ dataTypeID }) => dataTypeID),
    fields.map(({ dataTypeModifier }) => dataTypeModifier),
    fields.map(({ tableID }) => tableID),
    fields.map(({ columnID }) => columnID),
  ];
  const answer = await client.query<TypeRow>(TYPES, asked);
  const isUtf8 = answer.rows[0]?.encoding === 'UTF8';
  return {
    isUtf8,
    columns: answer.rows.map(({ isNotNull, written, modifier, typeName, elementName, isComposite }, i) => ({
      name: fields[i]?.name ?? '',
      ...{ written, modifier, typeName, elementName, isComposite },
      isRequired: rows.kind === 'table' && isNotNull,
    })),
  };
}

/** Lists the columns of a table that the user may read. Fails as a SELECT does if the schema is not accessible. */
export async function readableColumns(client: Client, { schema, table }: Extract<PgRows, { kind: 'table' }>): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly name: string }>(
    `SELECT attname AS name FROM pg_catalog.pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND has_column_privilege(attrelid, attnum, 'SELECT') ORDER BY attnum`,
    [`${quoted(schema)}.${quoted(table)}`],
  );
  return rows.map(({ name }) => name);
}

interface TypeRow extends Omit<DescribedColumn, 'name' | 'isRequired'> {
  readonly isNotNull: boolean;
  readonly encoding: string;
}

/** Types of columns, domains resolved, and whether a table's column is NOT NULL: not enforced for foreign tables. */
const TYPES = `
  WITH RECURSIVE chain AS (
    SELECT n, type, modifier, format_type(type, modifier) AS written, 0 AS depth, of_table, of_column
    FROM unnest($1::oid[], $2::int4[], $3::oid[], $4::int4[]) WITH ORDINALITY AS wanted (type, modifier, of_table, of_column, n)
    UNION ALL
    SELECT n, t.typbasetype, CASE WHEN t.typtypmod <> -1 THEN t.typtypmod ELSE modifier END, written, depth + 1, of_table, of_column
    FROM chain JOIN pg_catalog.pg_type t ON t.oid = chain.type WHERE t.typtype = 'd'
  )
  SELECT DISTINCT ON (n)
    written,
    modifier,
    CASE WHEN t.typnamespace = 'pg_catalog'::regnamespace THEN t.typname END AS "typeName",
    CASE WHEN t.typcategory = 'A' AND t.typname LIKE '\\_%' AND e.typnamespace = 'pg_catalog'::regnamespace THEN e.typname END AS "elementName",
    t.typtype = 'c' AS "isComposite",
    coalesce((
      SELECT a.attnotnull AND c.relkind IN ('r', 'p') AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_constraint AS k
        WHERE k.conrelid = c.oid AND k.contype = 'n' AND NOT k.convalidated AND a.attnum = ANY (k.conkey)
      )
      FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
      WHERE a.attrelid = of_table AND a.attnum = of_column
    ), false) AS "isNotNull",
    current_setting('server_encoding') AS encoding
  FROM chain JOIN pg_catalog.pg_type t ON t.oid = chain.type LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem
  ORDER BY n, depth DESC`;
