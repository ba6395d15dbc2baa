/** A row as a line in the text format of COPY; its texts need no escapes. */
export function copyLine(...cells: readonly (string | number | null)[]): Buffer {
  return Buffer.from(`${cells.map((cell) => cell ?? '\\N').join('\t')}\n`);
}
