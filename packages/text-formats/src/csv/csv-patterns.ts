/** A cell behind its delimiter, for JavaScript and the engine alike: in quotes, which are doubled within, or without. */
export function csvCellPattern(delimiter: string): string {
  return `${literal(delimiter)}${cell(delimiter)}`;
}

/** A line behind the end of the one before. */
export function csvLinePattern(delimiter: string): string {
  return `(?:\\r\\n|\\n|\\r)${cell(delimiter)}(?:${csvCellPattern(delimiter)})*`;
}

function cell(delimiter: string): string {
  return `(?:"(?:[^"]|"")*"|[^"${delimiter}\\r\\n][^${delimiter}\\r\\n]*)?`;
}

function literal(delimiter: string): string {
  return delimiter === '|' ? '\\|' : delimiter;
}
