/** A location as the language writes it, understood. */
export type Location =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'not-built'; readonly scheme: string }
  | { readonly kind: 'unknown' };

const NOT_BUILT = new Set(['s3', 'http', 'https', 'filehost', 'dropbox', 'pgsql']);

/** Tells what kind of source a location names. `file:` takes a path, relative or absolute, with `//` before it or without. */
export function parseLocation(text: string): Location {
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text);
  const scheme = match?.[1]?.toLowerCase();
  if (scheme === undefined) return { kind: 'unknown' };
  if (scheme === 'file') return { kind: 'file', path: text.slice('file:'.length).replace(/^\/\/(?=\/)/, '') };
  return NOT_BUILT.has(scheme) ? { kind: 'not-built', scheme } : { kind: 'unknown' };
}
