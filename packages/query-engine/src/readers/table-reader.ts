import type { CollectionType, FieldType, PrimitiveName, Type } from '@svc/query-language';

import { duckType } from '../representation/duck-type.ts';
import type { RelationLayout } from '../representation/relation-layout.ts';
import { quoteText } from '../representation/sql-text.ts';
import { fromJson } from './json-reading.ts';
import type { Reader } from './reader-sql.ts';

/**
 * A file with rows of a user table: comma-separated without a header, NULL an empty cell, the empty string `""`. Binary is `\x` and hex
 * digits, an interval `1 months 2 days 3 microseconds`, `any` and nested values are JSON. Whoever wrote it has checked every value.
 */
export interface TableFile {
  readonly path: string;
  readonly type: CollectionType;
  /**
   * The fields in the file, by their index in the row's type, in the file's order; the others are read as NULL and must not be used. A file
   * without fields has one cell in each row, which is not read.
   */
  readonly fields: readonly number[];
  /** Bytes of the longest row, or more. */
  readonly maxRowBytes: number;
}

/** The engine's own limit; where rows are longer it must be told. */
const DEFAULT_ROW_BYTES = 2_000_000;

/** What the engine reads itself; the rest comes as text. */
const TEXT_FIRST: ReadonlySet<PrimitiveName> = new Set(['binary', 'regex']);

/** SQL that reads the rows of a user table. */
export function tableFileReader({ path, type, fields, maxRowBytes }: TableFile): Reader {
  const { element } = type;
  const isRecord = element.kind === 'RecordType' && !element.isNullable;
  const all: readonly FieldType[] = isRecord ? element.fields : [{ name: 'value', type: element }];
  const columns = fields.map((index) => `'f${index}': ${quoteText(cellType(all[index]?.type ?? element))}`);
  const options = [
    'auto_detect=false',
    'header=false',
    `delim=','`,
    `quote='"'`,
    `escape='"'`,
    // Told, since it would be taken from the first one that there is, within quotes too.
    `new_line='\\n'`,
    `nullstr=['']`,
    'allow_quoted_nulls=false',
    `columns={${(columns.length === 0 ? [`'f': 'VARCHAR'`] : columns).join(', ')}}`,
    ...(maxRowBytes > DEFAULT_ROW_BYTES ? [`max_line_size=${maxRowBytes}`] : []),
  ];
  const isThere = new Set(fields);
  const items = all.map(
    (field, i) => `${isThere.has(i) ? cellValue(`f${i}`, field.type) : `CAST(NULL AS ${duckType(field.type)})`} AS c${i + 1}`,
  );
  const layout: RelationLayout = isRecord
    ? { kind: 'columns', columns: all.map((field, i) => ({ name: `c${i + 1}`, field })) }
    : { kind: 'value', column: 'c1', type: element };
  return {
    sql: `SELECT ${items.length === 0 ? '1 AS c0' : items.join(', ')} FROM read_csv(${quoteText(path)}, ${options.join(', ')})`,
    layout,
    isCollection: true,
  };
}

function cellType(type: Type): string {
  return type.kind === 'PrimitiveType' && !TEXT_FIRST.has(type.name) ? duckType(type) : 'VARCHAR';
}

function cellValue(cell: string, type: Type): string {
  if (type.kind === 'PrimitiveType') return type.name === 'binary' ? `unhex(substring(${cell}, 3))` : cell;
  if (type.kind === 'AnyType') return `CAST(${cell} AS JSON)`;
  return fromJson(`CAST(${cell} AS JSON)`, type, { mode: { isTrusted: true, isLenient: false }, path: '', depth: 0 });
}
