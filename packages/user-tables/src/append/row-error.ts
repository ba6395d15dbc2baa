/** A row that the table cannot hold. The message names the expected and the actual value; the reader of the lines adds the line. */
export class RowError extends Error {
  /** The field, with a path if nested: `items[2].price`. Null for the row itself. */
  readonly field: string | null;

  constructor(field: string | null, message: string) {
    super(message);
    this.name = 'RowError';
    this.field = field;
  }
}

const SHOWN_CHARACTERS = 40;

/** A value as a message shows it. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
