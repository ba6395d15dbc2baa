import type { TextFormatName } from '@svc/query-engine';
import { RESULT_FORMATS } from '@svc/query-engine';

/** The formats that this service answers in, for now those of text. */
export const ANSWERED_FORMATS = ['hjson', 'json', 'csv'] as const satisfies readonly TextFormatName[];

/** The format of an answer and the type that it has on the wire. */
export interface FormatChoice {
  readonly format: TextFormatName;
  readonly contentType: string;
}

/** The header decides, whatever `Accept` says; without it an `Accept` that names exactly one known type does; anything else is hjson. */
export function chooseFormat(header: TextFormatName | undefined, accept: string | undefined): FormatChoice {
  if (header !== undefined) return { format: header, contentType: RESULT_FORMATS[header].contentType };
  const wanted = accept?.split(';')[0]?.trim().toLowerCase();
  const named = accept?.includes(',') === true ? undefined : ANSWERED_FORMATS.find((format) => RESULT_FORMATS[format].mediaType === wanted);
  if (named === undefined) return { format: 'hjson', contentType: RESULT_FORMATS.hjson.contentType };
  return { format: named, contentType: `${RESULT_FORMATS[named].mediaType}; charset=utf-8` };
}
