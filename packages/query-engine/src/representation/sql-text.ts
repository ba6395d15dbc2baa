/** Quotes an identifier. A NUL is not allowed in SQL text, and no member name contains one. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""').replaceAll('\0', '\u2400')}"`;
}

/** Prints a column's name: a letter with a number, as the lowering and the readers make it, without quotes. */
export function columnName(name: string): string {
  return /^[a-z]\d+$/.test(name) ? name : quoteIdentifier(name);
}

/** A string literal: any text, NUL included, which is joined in with `chr(0)`. */
export function quoteText(text: string): string {
  const parts = text.split('\0').map((part) => `'${part.replaceAll("'", "''")}'`);
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : `concat(${parts.join(', chr(0), ')})`;
}
