/** A query that tries to read what it must not, or to harm the process. */
export interface Attack {
  /** Shown in docs/security.md. */
  readonly what: string;
  /** `{root}`, `{spool}` and `{outside}` are placeholders of the server's folders. */
  readonly query: string;
  /** The whole result of a permitted query, or the message of its failure. */
  readonly expected: string | RegExp;
  readonly headers?: Readonly<Record<string, string>>;
  /** Query string of the URL. */
  readonly search?: string;
}

/** Message for a file that may not be read: the same as for a missing one. */
export const NOTHING_THERE = /^path not found: /;
/** Contents of `people.csv`, which may be read. */
export const PEOPLE = '1\n2\n';

/** An attack that reads `n` from a location. */
export const read = (what: string, location: string, expected: string | RegExp = NOTHING_THERE): Attack => ({
  what,
  query: `SELECT n FROM READ("${location}")`,
  expected,
});
