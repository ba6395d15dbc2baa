import type { RequestHandler } from 'express';

import { ServiceError } from '@svc/errors';

/** Rejects a URL whose path or query has invalid percent-encoding, or does not decode to UTF-8. */
export const checkPercentEncoding: RequestHandler = (req, _res, next) => {
  if (req.url.includes('%') && !isDecodable(req.url)) {
    throw new ServiceError(
      'bad_request',
      'The URL has a percent-encoding that cannot be read: expected % and two hexadecimal digits, together UTF-8.',
    );
  }
  next();
};

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/** The parameters of a URL's query. One that is given twice is a `bad_request` that names it. */
export function readSearchParams(url: string): URLSearchParams {
  const start = url.indexOf('?');
  const params = new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
  if (params.size < 2) return params;
  const names = [...params.keys()];
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  if (repeated.size === 0) return params;
  throw new ServiceError('bad_request', [...repeated].map((name) => `The query parameter ${name} is given more than once.`).join(' '));
}
