import { invalidQuery } from '@svc/errors';
import type { PrintedRows, ResultFormatName, UnsupportedPart } from '@svc/query-engine';
import { RESULT_FORMATS, isTextFormat, printRows, unsupportedPart } from '@svc/query-engine';
import { printType } from '@svc/query-language';

import type { CompiledQuery } from './compile.ts';
import type { QueryRequest } from './query-request.ts';

/** Prints a query as a statement whose rows are lines in the requested format; cached per form. */
export type PrintResult = (query: CompiledQuery, form: Pick<QueryRequest, 'format' | 'lineEnding'>) => PrintedRows;

/** The rows of a file are printed so, to look for the reason of a failure. */
const FAILURE_FORMAT = 'hjson';

/** Caches statements as long as the query is cached. */
export function createPrintResult(): PrintResult {
  const printed = new WeakMap<CompiledQuery, Map<string, PrintedRows>>();
  return (query, { format, lineEnding }) => {
    if (query.runnable === null) throw new Error('a query that is run has a plan');
    const known = printed.get(query) ?? new Map<string, PrintedRows>();
    printed.set(query, known);
    const key = `${format} ${lineEnding}`;
    const rows =
      known.get(key) ?? printRows(query.runnable.lowered, { format: isTextFormat(format) ? format : FAILURE_FORMAT, lineEnding });
    known.set(key, rows);
    return rows;
  };
}

/** Throws if the format cannot represent the result. */
export function refuseUnprintable({ type, runnable, source }: CompiledQuery, format: ResultFormatName): void {
  const unsupported = unsupportedPart(format, type);
  if (unsupported === null || runnable === null) return;
  throw invalidQuery([{ message: unsupportedMessage(format, unsupported), positions: [source.positionOf(runnable.plan.span)] }]);
}

function unsupportedMessage(format: ResultFormatName, { field, type, mostFields }: UnsupportedPart): string {
  const { name } = RESULT_FORMATS[format];
  if (mostFields !== undefined) return `${name} cannot hold more than ${mostFields} fields: use another format, or select fewer`;
  const what = field === null ? printType(type) : `the field ${field} of type ${printType(type)}`;
  return `${name} cannot hold ${what}: use hjson or json, or select fields of simple types`;
}
