/** A URL prefix, or why the text is not one: completes "The field prefixUrl". */
export type ParsedPrefix =
  | { readonly kind: 'prefix'; /** For comparison: equal for texts that mean the same prefix. */ readonly normal: string }
  | { readonly kind: 'unusable'; readonly reason: string };

/** Index entries are limited in size, and a lookup queries every prefix of a URL. */
const MOST_CHARACTERS = 1024;
const MOST_SEGMENTS = 64;

/** Scheme, authority without user info, path. No blanks and backslashes, which the URL parser would rewrite. */
const FORM = /^https?:\/\/[^\s\\/?#@]+(?:\/[^\s\\?#]*)?$/i;

/** Parses a prefix: http or https, without user info, query or fragment. */
export function parsePrefix(text: string): ParsedPrefix {
  if (!FORM.test(text) || !URL.canParse(text)) return unusable('must be an http or https URL without user info, query and fragment');
  const url = new URL(text);
  const segments = segmentsOf(url);
  if (segments.length > MOST_SEGMENTS) return unusable(`must have at most ${MOST_SEGMENTS} path segments`);
  const normal = joinPrefix(url.origin, segments);
  if (normal.length > MOST_CHARACTERS) return unusable(`must have at most ${MOST_CHARACTERS} characters`);
  return { kind: 'prefix', normal };
}

/** Lists the normal forms of all prefixes that match a URL, by origin and whole path segments, shortest first. */
export function prefixesOf(url: URL): readonly string[] {
  const segments = segmentsOf(url).slice(0, MOST_SEGMENTS);
  return [...segments.keys(), segments.length].map((count) => joinPrefix(url.origin, segments.slice(0, count)));
}

function unusable(reason: string): ParsedPrefix {
  return { kind: 'unusable', reason };
}

function joinPrefix(origin: string, segments: readonly string[]): string {
  return [origin, ...segments].join('/');
}

/** Returns the path's segments. A trailing slash starts none. */
function segmentsOf({ pathname }: URL): readonly string[] {
  const segments = pathname.split('/').slice(1);
  return (segments.at(-1) === '' ? segments.slice(0, -1) : segments).map(normalizeEscapes);
}

/** Normalizes escapes (RFC 3986, 6.2.2): decodes unreserved characters, and uses upper-case digits elsewhere. */
function normalizeEscapes(segment: string): string {
  return segment.replaceAll(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escape.toUpperCase();
  });
}
