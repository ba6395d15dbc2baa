/** An index of a user table; `name` is null where none was given. */
export interface StoredIndex {
  readonly name: string | null;
  readonly fields: readonly string[];
  readonly unique: boolean;
}
