import { ownValue } from '@svc/query-language';

import { isPattern } from './path-pattern.ts';

/** A parsed location. */
export type Location = FileLocation | HttpLocation | FileHostLocation | S3Location | PgsqlLocation;

/** `file:path`, below the folders that the operator allows. */
export interface FileLocation {
  readonly kind: 'file';
  readonly path: string;
}

/** `http://…` or `https://…` */
export interface HttpLocation {
  readonly kind: 'http';
  readonly url: URL;
}

/** `filehost:/path` or `dropbox:/path` */
export interface FileHostLocation {
  readonly kind: 'filehost';
  /** Begins with a slash, as written. */
  readonly path: string;
}

/** `s3://bucket/path` or `s3://region@bucket/path` */
export interface S3Location {
  readonly kind: 's3';
  readonly region: string | null;
  readonly bucket: string;
  /** Without a slash before it; may hold `*`, `?` and `**`. */
  readonly key: string;
}

/** `pgsql:server/schema/table` */
export interface PgsqlLocation {
  readonly kind: 'pgsql';
  readonly server: string;
  /** Null, like the table, if only the level above is named, for a listing. */
  readonly schema: string | null;
  readonly table: string | null;
}

/** Returns whether a location may match several objects, by `*` and `?` in its path. A URL names one. */
export function namesSeveral(text: string): boolean {
  return !/^https?:/i.test(text) && isPattern(text);
}

/** A URL without its arguments, which may hold a secret. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** Formats a location for messages. */
export function shownLocation(text: string): string {
  const location = parseLocation(text);
  return location.kind === 'http' ? shownUrl(location.url) : text;
}

/** A text that is not a location, with the expected form in words for its author. */
export interface NoLocation {
  readonly kind: 'none';
  readonly problem: string;
}

const PARSERS: Readonly<Record<string, (text: string, rest: string) => Location | NoLocation>> = {
  file: (_, rest) => ({ kind: 'file', path: rest.replace(/^\/\/(?=\/)/, '') }),
  http: parseHttp,
  https: parseHttp,
  filehost: parseFileHost,
  dropbox: parseFileHost,
  s3: parseS3,
  pgsql: parsePgsql,
};

/** Maximum length of a path with `*` or `?`. */
const MOST_PATTERN_CHARACTERS = 1000;
/** Maximum length of a path; URLs may be longer, since they contain tokens. */
const MOST_CHARACTERS = 4096;
const MOST_URL_CHARACTERS = 65_536;

/** Parses a location. `file:` accepts a path, relative or absolute, with or without `//`. */
export function parseLocation(text: string): Location | NoLocation {
  const tooLong = problemOfLength(text);
  if (tooLong !== null) return { kind: 'none', problem: tooLong };
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1];
  const parse = scheme === undefined ? undefined : ownValue(PARSERS, scheme.toLowerCase());
  if (scheme === undefined || parse === undefined) return none(text, 'one such as file:folder/name.csv or https://example.com/name.csv');
  return parse(text, text.slice(scheme.length + 1));
}

function problemOfLength(text: string): string | null {
  const [what, most] = /^https?:/i.test(text)
    ? ['a URL', MOST_URL_CHARACTERS]
    : isPattern(text)
      ? ['a pattern of paths', MOST_PATTERN_CHARACTERS]
      : ['a location', MOST_CHARACTERS];
  return text.length > most ? `${what} has at most ${most} characters, and this one has ${text.length}` : null;
}

function none(text: string, expected: string): NoLocation {
  return { kind: 'none', problem: `'${text}' is not a location: expected ${expected}` };
}

function parseHttp(text: string): Location | NoLocation {
  const url = /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === '')
    return { kind: 'none', problem: 'not a location: expected a URL such as https://example.com/name.csv' };
  if (url.username !== '' || url.password !== '')
    return { kind: 'none', problem: 'a URL holds no user and no password: register HTTP credentials for it' };
  url.hash = '';
  return { kind: 'http', url };
}

function parseFileHost(text: string, rest: string): Location | NoLocation {
  return /^\/(?!\/)/.test(rest) && !hasControls(rest)
    ? { kind: 'filehost', path: rest }
    : none(text, 'one such as filehost:/folder/name.csv');
}

/** S3's own rule for the names of buckets. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,64}$/;

function parseS3(text: string, rest: string): Location | NoLocation {
  const match = /^\/\/(?:([^@/]*)@)?([^/]+)(?:\/(.*))?$/s.exec(rest);
  const [, region, bucket = '', key = ''] = match ?? [];
  if (match === null || !BUCKET.test(bucket) || (region !== undefined && !REGION.test(region)) || hasControls(key))
    return none(text, 'one such as s3://bucket/folder/name.csv or s3://region@bucket/folder/name.csv');
  return { kind: 's3', region: region ?? null, bucket, key };
}

function parsePgsql(text: string, rest: string): Location | NoLocation {
  const names = rest.replace(/^\/\//, '').split('/').map(decoded);
  const [server = '', schema = '', table = '', ...more] = names;
  // No name of PostgreSQL has a U+0000, which ends a text in its protocol.
  const hasNul = names.some((name) => name.includes('\0'));
  if (server === '' || (schema === '' && table !== '') || more.length > 0 || hasControls(rest) || hasNul)
    return none(text, 'one such as pgsql:server/schema/table');
  return { kind: 'pgsql', server, schema: schema === '' ? null : schema, table: table === '' ? null : table };
}

/** A name may hold a slash as `%2F`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
