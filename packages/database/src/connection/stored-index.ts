/** An index of a user table; `name` is null if unnamed. */
export interface StoredIndex {
  readonly name: string | null;
  readonly fields: readonly string[];
  readonly unique: boolean;
}
