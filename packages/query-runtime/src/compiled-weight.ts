/** Parts of an entry that determine its weight. */
interface Weighed {
  readonly sources: readonly { readonly identity: string | null }[];
}

interface WeighedQuery extends Weighed {
  readonly source: { readonly text: string };
  readonly runnable: { readonly lowered: { readonly sql: string } } | null;
}

/** Returns the approximate size of a cached query in bytes: a short text may name a long view, or a hundred thousand files. */
export function weightOfQuery({ source, runnable, sources }: WeighedQuery, key: string): number {
  return weightOf(sources, key) + source.text.length * 20 + (runnable?.lowered.sql.length ?? 0) * 10;
}

/** Returns the weight of a checked package, whose text is in the key. */
export function weightOfPackage({ sources }: Weighed, key: string): number {
  return weightOf(sources, key) + key.length * 20;
}

/** An identity names every file, as the reader does. */
function weightOf(sources: Weighed['sources'], key: string): number {
  return sources.reduce((sum, { identity }) => sum + 4 * (identity?.length ?? 0), 1000 + key.length);
}
