import type { CollectionType, FieldType, PrimitiveName, RecordType, Type } from '@svc/query-language';

import { duckType } from '../representation/duck-type.ts';
import type { RelationLayout } from '../representation/relation-layout.ts';
import { quoteText } from '../representation/sql-text.ts';
import { sqlText } from '../sql/print-sql.ts';
import { castTo, verbatim } from '../sql/sql.ts';
import { fromText, notNull } from './from-text.ts';
import { decimalOfText } from './number-text.ts';
import { fromJson, jsonReading, nullIfNull } from './json-reading.ts';
import type { Reader } from './reader-sql.ts';

/**
 * A file of a user table's rows, in the text format of PostgreSQL's COPY: cells between tabs, one row per line, NULL as
 * `\N`, and a backslash before `\` and before the letter of a control character. Binary is `\x` and hex digits, an interval
 * `1 months 2 days 3 microseconds`, `any` and nested values are JSON. The writer has validated every value, except of
 * foreign rows.
 */
export interface TableFile {
  readonly path: string;
  readonly type: CollectionType;
  /**
   * The fields in the file, by their index in the row's type, in the file's order; others are read as NULL and must not be
   * used. Each row ends in one more cell, which is not read: without it the engine skips an empty line.
   */
  readonly fields: readonly number[];
  /** Bytes of the longest row, or more. */
  readonly maxRowBytes: number;
  /** Rows that others have written: their JSON is checked, and so is that the fields of these names hold a value. */
  readonly foreign?: { readonly required: ReadonlySet<string> } | undefined;
}

/** The engine's default limit; longer rows require the option. */
const DEFAULT_ROW_BYTES = 2_000_000;

/** Types read as text; others are read natively. */
const TEXT_FIRST: ReadonlySet<PrimitiveName> = new Set(['binary', 'decimal', 'regex']);

/** SQL that reads the rows of a user table. */
export function tableFileReader({ path, type, fields, maxRowBytes, foreign }: TableFile): Reader {
  const { element } = type;
  const all = fieldsOf(type);
  const columns = fields.map((index) => `'f${index}': ${quoteText(cellType(all[index]?.type ?? element))}`);
  const options = [
    'auto_detect=false',
    'header=false',
    `delim='\\t'`,
    `quote=''`,
    `escape=''`,
    // Given, since it would be sniffed otherwise: no cell contains one.
    `new_line='\\n'`,
    `nullstr=['\\N']`,
    `columns={${[...columns, `'end': 'VARCHAR'`].join(', ')}}`,
    ...(maxRowBytes > DEFAULT_ROW_BYTES ? [`max_line_size=${maxRowBytes}`] : []),
  ];
  const isThere = new Set(fields);
  const values = all.map((field, i) => {
    if (!isThere.has(i)) return null;
    return foreign === undefined ? cellValue(`f${i}`, field.type) : foreignValue(`f${i}`, field, foreign.required);
  });
  return readerOf(type, values, `read_csv(${quoteText(path)}, ${options.join(', ')})`);
}

/** SQL of so many rows of which no field is used. */
export function countedRowsReader({ count, type }: { readonly count: number; readonly type: CollectionType }): Reader {
  return readerOf(type, [], `range(${count})`);
}

/** A reader of rows with these values, NULL for others. */
function readerOf(type: CollectionType, values: readonly (string | null)[], from: string): Reader {
  const all = fieldsOf(type);
  const items = all.map((field, i) => `${values[i] ?? `CAST(NULL AS ${duckType(field.type)})`} AS c${i + 1}`);
  const layout: RelationLayout = hasColumns(type.element)
    ? { kind: 'columns', columns: all.map((field, i) => ({ name: `c${i + 1}`, field })) }
    : { kind: 'value', column: 'c1', type: type.element };
  return { sql: `SELECT ${items.length === 0 ? '1 AS c0' : items.join(', ')} FROM ${from}`, layout, isCollection: true };
}

function hasColumns(element: Type): element is RecordType {
  return element.kind === 'RecordType' && !element.isNullable;
}

function fieldsOf({ element }: CollectionType): readonly FieldType[] {
  return hasColumns(element) ? element.fields : [{ name: 'value', type: element }];
}

function cellType(type: Type): string {
  return type.kind === 'PrimitiveType' && !TEXT_FIRST.has(type.name) ? duckType(type) : 'VARCHAR';
}

function cellValue(cell: string, type: Type): string {
  if (type.kind === 'PrimitiveType') {
    if (type.name === 'binary') return `unhex(substring(${cell}, ${BINARY_START.length + 1}))`;
    if (type.name === 'decimal') return sqlText(decimalOfText(verbatim(cell), castTo));
    return type.name === 'string' ? unescaped(cell, TEXT_ESCAPES) : cell;
  }
  const json = `CAST(${unescaped(cell, JSON_ESCAPES)} AS JSON)`;
  if (type.kind === 'AnyType') return json;
  // One conversion of the whole value: member by member takes twenty times as long.
  const { engineType, convert } = jsonReading(type, { isTrusted: true, isLenient: false });
  const value = engineType === 'JSON' ? json : `CAST(${json} AS ${engineType})`;
  return convert === null ? value : `list_extract(list_transform([${value}], lambda v: ${convert('v', '')}), 1)`;
}

/** Like `cellValue`, with checks for invalid values of foreign rows. */
function foreignValue(cell: string, { name, type }: FieldType, required: ReadonlySet<string>): string {
  if (type.kind === 'PrimitiveType') {
    const context = { format: 'csv', path: `column ${name}`, isLenient: false } as const;
    if (type.name === 'decimal') return fromText(cell, { ...type, isNullable: !required.has(name) }, context);
    const value = cellValue(cell, type);
    return required.has(name) ? notNull(cell, duckType(type), context, value) : value;
  }
  const json = nullIfNull(`CAST(${unescaped(cell, TEXT_ESCAPES)} AS JSON)`);
  return fromJson(json, type, { mode: { isTrusted: false, isLenient: false }, path: name });
}

const BINARY_START = '\\\\x';

/**
 * Escapes in the order in which they are decoded. An escaped backslash comes first and becomes one before a tab, which no
 * cell contains; once no other escape is left, that is decoded.
 */
const TEXT_ESCAPES = [
  ['\\\\', '\\\t'],
  ['\\b', '\b'],
  ['\\t', '\t'],
  ['\\n', '\n'],
  ['\\v', '\v'],
  ['\\f', '\f'],
  ['\\r', '\r'],
  ['\\\t', '\\'],
] as const;

/** Stored JSON has no control characters. */
const JSON_ESCAPES = [['\\\\', '\\']] as const;

function unescaped(cell: string, escapes: readonly (readonly [written: string, meant: string])[]): string {
  const text = escapes.reduce((sql, [written, meant]) => `replace(${sql}, ${quoteText(written)}, ${quoteText(meant)})`, cell);
  return `CASE WHEN contains(${cell}, ${quoteText('\\')}) THEN ${text} ELSE ${cell} END`;
}
