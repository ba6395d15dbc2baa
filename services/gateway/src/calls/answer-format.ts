import { ServiceError } from '@svc/errors';
import type { Request } from 'express';

const TEXT = '; charset=utf-8';

/** The formats of answers and their media types, as `POST /query` has them. */
const FORMATS = [
  { format: 'json', mediaType: 'application/json', suffix: TEXT },
  { format: 'hjson', mediaType: 'application/x-ndjson', suffix: TEXT },
  { format: 'csv', mediaType: 'text/csv', suffix: TEXT },
  { format: 'sqlite', mediaType: 'application/vnd.sqlite3', suffix: '' },
  { format: 'parquet-raw', mediaType: 'application/vnd.apache.parquet', suffix: '' },
  { format: 'parquet-avro', mediaType: 'application/vnd.apache.parquet', suffix: '' },
] as const;

/** The format of an answer and its type on the wire. */
export interface AnswerFormat {
  readonly format: string;
  readonly contentType: string;
}

/** Errors can be the answer of any request. */
const ERROR_TYPES = ['application/json', 'application/problem+json'];

/**
 * Chooses the format of a response: the endpoint's own; else the one that `Accept` names, if it names exactly one; else
 * JSON. Throws `not_acceptable` if `Accept` excludes all available ones.
 */
export function chooseAnswerFormat(req: Request, endpointFormat: string | null): AnswerFormat {
  const own = FORMATS.filter(({ format }) => format === endpointFormat);
  const offered = own.length > 0 ? own : FORMATS;
  const types = [...new Set(offered.map(({ mediaType }) => mediaType))];
  const accept = req.headers.accept?.trim() ?? '';
  if (accept !== '' && accept !== '*/*' && !isAcceptable(req, types)) throw new ServiceError('not_acceptable', types.join(', '));
  const named = new Set(accept.split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase() ?? ''));
  const wanted = named.size === 1 ? offered.find(({ mediaType }) => named.has(mediaType)) : undefined;
  const { format, mediaType, suffix } = own[0] ?? wanted ?? FORMATS[0];
  return { format, contentType: `${mediaType}${suffix}` };
}

function isAcceptable(req: Request, types: readonly string[]): boolean {
  return req.accepts([...types, ...ERROR_TYPES].flatMap((type) => [type, `${type}${TEXT}`])) !== false;
}
