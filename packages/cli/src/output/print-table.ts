import stringWidth from 'string-width';

import { cleanText } from './clean-text.ts';

/** A column of a table: its heading, and its text of a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | boolean | null | undefined>>;

/** Prints rows below headings, each column as wide as its widest cell. */
export function printTable<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  const headings = Object.keys(columns).map((heading) => heading.toUpperCase());
  const lines = [headings, ...rows.map((row) => Object.values(columns).map((cell) => cleanText(String(cell(row) ?? '-'))))];
  const widths = headings.map((_, column) => Math.max(...lines.map((cells) => stringWidth(cells[column] ?? ''))));
  return lines
    .map(
      (cells) =>
        `${cells
          .map((cell, column) => pad(cell, widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** Prints the members of an object, one per line. */
export function printDetails(details: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(details).map((name) => name.length));
  return Object.entries(details)
    .map(([name, value]) => `${pad(name, width)}  ${cleanText(printValue(value))}\n`)
    .join('');
}

function printValue(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function pad(text: string, width: number): string {
  return `${text}${' '.repeat(Math.max(0, width - stringWidth(text)))}`;
}
