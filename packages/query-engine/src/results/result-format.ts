import type { Type } from '@svc/query-language';

/** What is known of a format of results, apart from how it is written. */
export interface ResultFormat {
  readonly name: string;
  /** Of an answer whose format a header chose. */
  readonly contentType: string;
  /** The one media type of `Accept` that chooses it, and which the answer then has. */
  readonly mediaType: string | null;
  readonly isText: boolean;
  readonly hasLineEnding: boolean;
  /** Whether rows are records of primitives, or primitives, only. */
  readonly isFlat: boolean;
}

const TEXT = 'text/plain; charset=utf-8';

/** The formats, by the name that the header has. */
export const RESULT_FORMATS = {
  hjson: { name: 'hjson', contentType: TEXT, mediaType: 'application/x-ndjson', isText: true, hasLineEnding: true, isFlat: false },
  json: { name: 'json', contentType: TEXT, mediaType: 'application/json', isText: true, hasLineEnding: false, isFlat: false },
  csv: { name: 'csv', contentType: TEXT, mediaType: 'text/csv', isText: true, hasLineEnding: true, isFlat: true },
  'parquet-raw': {
    name: 'parquet-raw',
    contentType: 'application/vnd.apache.parquet',
    mediaType: null,
    isText: false,
    hasLineEnding: false,
    isFlat: false,
  },
} as const satisfies Record<string, ResultFormat>;

export type ResultFormatName = keyof typeof RESULT_FORMATS;
export type TextFormatName = 'hjson' | 'json' | 'csv';

/** A part of a result that a flat format cannot hold. */
export interface UnsupportedPart {
  /** The field, or null where the value itself is meant. */
  readonly field: string | null;
  readonly type: Type;
}

/** What keeps a result of this type from being written in a format; null where nothing does. Found before anything runs. */
export function unsupportedPart(format: ResultFormatName, resultType: Type): UnsupportedPart | null {
  if (!RESULT_FORMATS[format].isFlat) return null;
  const row = resultType.kind === 'CollectionType' ? resultType.element : resultType;
  if (row.kind !== 'RecordType') return row.kind === 'PrimitiveType' ? null : { field: null, type: row };
  if (row.fields.length === 0) return { field: null, type: row };
  const nested = row.fields.find((field) => field.type.kind !== 'PrimitiveType');
  return nested === undefined ? null : { field: nested.name, type: nested.type };
}
