import type { ResultFormatName } from '@svc/query-engine';
import { isTextFormat, RESULT_FORMATS } from '@svc/query-engine';

/** Names of all formats, as in the header. */
export const ANSWERED_FORMATS = Object.values(RESULT_FORMATS).map((format) => format.name);

/** The format of an answer and the type that it has on the wire. */
export interface FormatChoice {
  readonly format: ResultFormatName;
  readonly contentType: string;
}

/**
 * Chooses the format: the header takes precedence over `Accept`; without it an `Accept` that names exactly one known type
 * does; otherwise hjson.
 */
export function chooseFormat(header: ResultFormatName | undefined, accept: string | undefined): FormatChoice {
  if (header !== undefined) return { format: header, contentType: RESULT_FORMATS[header].contentType };
  const wanted = new Set((accept ?? '').split(',').flatMap((range) => range.split(';', 1)[0]?.trim().toLowerCase() || []));
  const named = wanted.size === 1 ? ANSWERED_FORMATS.find((format) => wanted.has(RESULT_FORMATS[format].mediaType ?? '')) : undefined;
  if (named === undefined) return { format: 'hjson', contentType: RESULT_FORMATS.hjson.contentType };
  const { mediaType, contentType } = RESULT_FORMATS[named];
  return { format: named, contentType: isTextFormat(named) ? `${mediaType}; charset=utf-8` : contentType };
}
