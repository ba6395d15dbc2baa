import type { Client } from 'pg';

import type { PgsqlLocation } from '../../locations/location.ts';
import { matchSegment } from '../../locations/path-pattern.ts';
import type { FoundEntry } from '../transport.ts';

const TABLES = `
  SELECT n.nspname AS schema, c.relname AS name
  FROM pg_catalog.pg_namespace n JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname !~ '^pg_(toast|temp_)'
    AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
  ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"`;

/** PostgreSQL's built-in schemas. They are listed only if named. */
const OWN_SCHEMAS: ReadonlySet<string> = new Set(['pg_catalog', 'information_schema']);

/**
 * Lists, within a transaction, what matches a location among the user's readable tables: the schemas of a server, the tables
 * of a schema, or a table; names may be patterns. Null if there is none.
 */
export async function listTables(client: Client, { server, schema, table }: PgsqlLocation): Promise<readonly FoundEntry[] | null> {
  const { rows } = await client.query<{ readonly schema: string; readonly name: string }>(TABLES);
  const matches = schema === null ? () => true : matchSegment(schema);
  const isSchema = (name: string): boolean => name === schema || (!OWN_SCHEMAS.has(name) && matches(name));
  const inSchemas = rows.filter((row) => isSchema(row.schema));
  const isTable = table === null ? () => true : matchSegment(table);
  const locations =
    schema === null
      ? [...new Set(inSchemas.map((row) => `${pgsqlLocation(server, row.schema)}/`))]
      : inSchemas.filter(({ name }) => isTable(name)).map((row) => pgsqlLocation(server, row.schema, row.name));
  if (locations.length === 0) return null;
  return locations.map((location) => ({
    location,
    isFile: !location.endsWith('/'),
    size: null,
    modified: null,
    identity: location,
  }));
}

/** The location of a schema or a table, names written so that they can be read again. */
export function pgsqlLocation(server: string, ...names: readonly string[]): string {
  return `pgsql:${[server, ...names].map((name) => name.replace(/[%/\p{Cc}]/gu, encodeURIComponent)).join('/')}`;
}
