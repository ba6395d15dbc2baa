import type { FileColumn, JsonReadPlan, OnError, ReadFile } from '@svc/query-engine';
import type { Type } from '@svc/query-language';

import type { OpenedRead } from '../reading/read-request.ts';
import type { Copy } from '../spool/spool.ts';
import type { FileFormat } from '../file-format.ts';
import { MAX_LINE_BYTES } from './json-lines.ts';

/** Files that are read as copies in JSON, a document on each line. */
export interface JsonCopies {
  readonly format: FileFormat;
  readonly files: readonly ReadFile[];
  readonly copies: readonly Copy[];
  readonly rowType: Type;
  readonly isCollection: boolean;
  readonly isSampled: boolean;
  /** True if the type was inferred from the whole data, so that the copies conform to it. */
  readonly isTrusted: boolean;
  readonly onError: OnError | undefined;
  readonly fileColumns: readonly FileColumn[];
  readonly maxObjectBytes: number;
}

/** Unit of a document in the original file. */
const COUNTED_AS: Partial<Record<FileFormat, JsonReadPlan['countedAs']>> = { xml: 'element', avro: 'value', excel: 'row' };

/** A read of the copies. */
export function readJsonCopies(of: JsonCopies): OpenedRead {
  const plan: JsonReadPlan = {
    kind: 'json',
    files: of.files,
    layouts: of.files.map(() => 'newline_delimited'),
    rowType: of.rowType,
    isCollection: of.isCollection,
    isTrusted: of.isTrusted,
    areIntegersWhole: of.format !== 'avro',
    fileColumns: of.fileColumns,
    onError: of.onError ?? 'fail',
    compression: null,
    countedAs: COUNTED_AS[of.format] ?? 'line',
    isClosed: false,
    maxObjectBytes: Math.max(MAX_LINE_BYTES, of.maxObjectBytes),
  };
  const row: Type =
    of.rowType.kind === 'RecordType' && of.fileColumns.length > 0
      ? { ...of.rowType, fields: [...of.rowType.fields, ...of.fileColumns.map((column) => column.field)] }
      : of.rowType;
  const type: Type = of.isCollection ? { kind: 'CollectionType', element: row, isNullable: false } : row;
  return { format: of.format, copies: of.copies, inferred: { type, plan, isSampled: of.isSampled } };
}
