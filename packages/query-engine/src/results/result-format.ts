import type { Type } from '@svc/query-language';

/** Properties of a result format, except how it is written. */
export interface ResultFormat {
  readonly name: string;
  /** Content type of a response whose format the header selected. */
  readonly contentType: string;
  /** The one media type of `Accept` that chooses it, and which the answer then has. */
  readonly mediaType: string | null;
  readonly isText: boolean;
  readonly hasLineEnding: boolean;
  /** True if rows must be primitives, or records of primitives. */
  readonly isFlat: boolean;
}

const TEXT = { contentType: 'text/plain; charset=utf-8', isText: true } as const;
const SQLITE = 'application/vnd.sqlite3';
const PARQUET = { contentType: 'application/vnd.apache.parquet', isText: false, hasLineEnding: false, isFlat: false } as const;

/** The formats, by the name that the header has. */
export const RESULT_FORMATS = {
  hjson: { name: 'hjson', ...TEXT, mediaType: 'application/x-ndjson', hasLineEnding: true, isFlat: false },
  json: { name: 'json', ...TEXT, mediaType: 'application/json', hasLineEnding: false, isFlat: false },
  csv: { name: 'csv', ...TEXT, mediaType: 'text/csv', hasLineEnding: true, isFlat: true },
  sqlite: { name: 'sqlite', contentType: SQLITE, mediaType: SQLITE, isText: false, hasLineEnding: false, isFlat: true },
  'parquet-avro': { name: 'parquet-avro', ...PARQUET, mediaType: null },
  'parquet-raw': { name: 'parquet-raw', ...PARQUET, mediaType: PARQUET.contentType },
} as const satisfies Record<string, ResultFormat>;

/** Name of a result format. */
export type ResultFormatName = keyof typeof RESULT_FORMATS;
/** Formats that are streamed. */
export type TextFormatName = {
  [Name in ResultFormatName]: (typeof RESULT_FORMATS)[Name]['isText'] extends true ? Name : never;
}[ResultFormatName];
/** Formats that are written to a file, and sent when complete. */
export type FileFormatName = Exclude<ResultFormatName, TextFormatName>;

/** Returns whether a result is streamed as text, and not written to a file. */
export function isTextFormat(format: ResultFormatName): format is TextFormatName {
  return RESULT_FORMATS[format].isText;
}

/** A part of a result that a format cannot represent. */
export interface UnsupportedPart {
  /** The field, or null for the value itself. */
  readonly field: string | null;
  readonly type: Type;
  /** Set if a record has more fields than this. */
  readonly mostFields?: number;
}

/** Maximum number of columns in SQLite. */
const MOST_SQLITE_COLUMNS = 2000;

/** Returns the part of a result type that a format cannot represent; null if there is none. Decided before anything runs. */
export function unsupportedPart(format: ResultFormatName, resultType: Type): UnsupportedPart | null {
  if (!RESULT_FORMATS[format].isFlat) return null;
  // A collection that may be NULL is one value, and no rows.
  const row = resultType.kind === 'CollectionType' && !resultType.isNullable ? resultType.element : resultType;
  if (row.kind !== 'RecordType') return row.kind === 'PrimitiveType' ? null : { field: null, type: row };
  if (row.fields.length === 0) return { field: null, type: row };
  const nested = row.fields.find((field) => field.type.kind !== 'PrimitiveType');
  if (nested !== undefined) return { field: nested.name, type: nested.type };
  const isTooWide = format === 'sqlite' && row.fields.length > MOST_SQLITE_COLUMNS;
  return isTooWide ? { field: null, type: row, mostFields: MOST_SQLITE_COLUMNS } : null;
}
