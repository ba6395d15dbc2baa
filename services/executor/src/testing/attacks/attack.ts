/** A query that tries to get what it must not have, or to harm the process. */
export interface Attack {
  /** Shown in docs/security.md. */
  readonly what: string;
  /** `{root}`, `{spool}` and `{outside}` stand for folders of the server. */
  readonly query: string;
  /** The whole answer of a query that may be answered, or what its failure has to say. */
  readonly expected: string | RegExp;
  readonly headers?: Readonly<Record<string, string>>;
  /** What stands after the path of the URL. */
  readonly search?: string;
}

/** What is said of a file that may not be read: the same as of one that is not there. */
export const NOTHING_THERE = /^path not found: /;
/** What `people.csv` holds, which may be read. */
export const PEOPLE = '1\n2\n';

/** An attack that reads `n` of what stands at a location. */
export const read = (what: string, location: string, expected: string | RegExp = NOTHING_THERE): Attack => ({
  what,
  query: `SELECT n FROM READ("${location}")`,
  expected,
});
