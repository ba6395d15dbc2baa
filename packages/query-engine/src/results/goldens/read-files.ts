import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';

import { parquetMetadataAsync, parquetReadObjects, type SchemaElement } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

/** Returns the contents of a database as SQLite reads them: the table, then each row with the storage classes of its cells. */
export function showSqlite(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const [table] = database.prepare('SELECT sql FROM sqlite_schema').all();
    const names = database.prepare('PRAGMA table_info(result)').all();
    const cells = names.map(({ name }) => `"${String(name).replaceAll('"', '""')}"`);
    const shown = cells.map(
      (cell) =>
        `CASE typeof(${cell}) WHEN 'blob' THEN 'x''' || hex(${cell}) || '''' WHEN 'text' THEN json_quote(${cell}) ELSE printf('%!.17g', ${cell}) || ' ' || typeof(${cell}) END`,
    );
    const integers = cells.map((cell, i) => `CASE typeof(${cell}) WHEN 'integer' THEN ${cell} || ' integer' ELSE ${shown[i]} END`);
    const nulls = cells.map((cell, i) => `CASE WHEN ${cell} IS NULL THEN 'NULL' ELSE ${integers[i]} END AS c${i}`);
    const rows = database.prepare(`SELECT ${nulls.join(', ')} FROM result`).all();
    return [String(table?.['sql']), ...rows.map((row) => Object.values(row).join(' | '))].join('\n');
  } finally {
    database.close();
  }
}

/** Returns the contents of a Parquet file as hyparquet reads them: its schema, the Avro schema if there is one, then the rows. */
export async function showParquet(path: string): Promise<string> {
  const bytes = await readFile(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const metadata = await parquetMetadataAsync(file);
  const avro = metadata.key_value_metadata?.find(({ key }) => key === 'parquet.avro.schema')?.value;
  const rows = await parquetReadObjects({ file, metadata, compressors, utf8: false, parsers: PARSERS });
  const schema = metadata.schema.slice(1).map(showElement);
  return [...schema, ...(avro === undefined ? [] : [`avro ${avro}`]), ...rows.map((row) => showValue(row))].join('\n');
}

/** A Date has no microseconds. */
const PARSERS = { timestampFromMicroseconds: (micros: bigint): unknown => `${micros} µs` };

/** The Avro schema of a file, or undefined. */
export async function avroSchemaOf(path: string): Promise<unknown> {
  const bytes = await readFile(path);
  const metadata = await parquetMetadataAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const text = metadata.key_value_metadata?.find(({ key }) => key === 'parquet.avro.schema')?.value;
  return text === undefined ? undefined : JSON.parse(text);
}

function showElement({ name, type, type_length, repetition_type, converted_type, scale, precision }: SchemaElement): string {
  const size = type_length === undefined ? '' : `(${type_length})`;
  const digits = precision === undefined ? '' : `(${precision}, ${scale})`;
  return [
    'schema',
    name,
    repetition_type,
    type === undefined ? '' : type + size,
    converted_type === undefined ? '' : converted_type + digits,
  ]
    .filter((word) => word !== '')
    .join(' ');
}

function showValue(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  if (Array.isArray(value)) return `[${value.map(showValue).join(', ')}]`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${name}: ${showValue(member)}`);
  return `{${members.join(', ')}}`;
}
