import { createHash } from 'node:crypto';

import type { OptionValue } from '@svc/query-language';

import { shownUrl } from '../../locations/location.ts';
import { Misuse } from '../../reading/misuse.ts';
import type { Asking } from '../transport.ts';

/** The request of a location and its options, without authentication. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Location for messages, without possible secrets. */
  readonly location: string;
  /** Differs between all requests that are not identical. Contains no secret. */
  readonly key: string;
  /** True if the request may be repeated. */
  readonly isSafe: boolean;
}

/** Headers that the client sets itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'if-match',
  'if-none-match',
  'if-range',
  'keep-alive',
  'proxy-authorization',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Builds the request for a location with options. Throws a Misuse if they are invalid. */
export function makeRequest(location: URL, options: Asking['options']): HttpRequest {
  const url = new URL(location);
  const args = new URLSearchParams(pairsOf(options['http_args']).map(({ name, value }): [string, string] => [name, value])).toString();
  // The URL's own arguments stay as they are written: a server may not take "+" for "%20", and a signature covers the text.
  if (args !== '') url.search = url.search === '' ? args : `${url.search}&${args}`;
  const body = textOf(options['http_body']);
  const method = textOf(options['http_method'])?.toUpperCase() ?? (body === null ? 'GET' : 'POST');
  if (method === 'GET' && body !== null) throw new Misuse('a GET has no body: leave out http_body, or http_method');
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const { name, value } of pairsOf(options['http_headers'])) {
    const known = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || OWN_HEADERS.has(known))
      throw new Misuse(`http_headers: ${JSON.stringify(name)} is not a header that can be set`);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new Misuse(`http_headers: the value of ${name} has characters that a header cannot hold`);
    headers[known] = headers[known] === undefined ? value : `${headers[known]}, ${value}`;
  }
  const names = Object.keys(headers).toSorted();
  const said = JSON.stringify([method, url.href, names.map((name) => [name, headers[name]]), body]);
  return {
    ...{ url, method, headers, body },
    location: shownUrl(url),
    key: createHash('sha256').update(said).digest('base64url'),
    isSafe: method === 'GET',
  };
}

function textOf(value: OptionValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function pairsOf(value: OptionValue | undefined): readonly { readonly name: string; readonly value: string }[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly OptionValue[]).map((pair) => {
    const entries = typeof pair === 'object' && pair !== null ? Object.entries(pair) : [];
    const part = (wanted: string): string => textOf(entries.find(([name]) => name.toLowerCase() === wanted)?.[1]) ?? '';
    return { name: part('name'), value: part('value') };
  });
}
