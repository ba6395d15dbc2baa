import { RowError } from './row-error.ts';

/** A cell. Null if nothing is between two commas, unlike the empty string in quotes. */
export type CsvCell = string | null;

/** Returns the cells of a record without its line ending; null if a quoted cell continues in the next line. */
export function csvCells(record: string): readonly CsvCell[] | null {
  if (!record.includes('"')) return plainCells(record);
  const cells: CsvCell[] = [];
  let at = 0;
  for (;;) {
    if (record[at] === '"') {
      const cell = quotedCell(record, at);
      if (cell === null) return null;
      cells.push(cell.text);
      at = cell.end;
    } else {
      const comma = record.indexOf(',', at);
      const end = comma === -1 ? record.length : comma;
      const text = record.slice(at, end);
      if (text.includes('"')) throw new RowError(null, `a quote within a cell that does not begin with one, in cell ${cells.length + 1}`);
      cells.push(text === '' ? null : text);
      at = end;
    }
    if (at === record.length) return cells;
    if (record[at] !== ',') throw new RowError(null, `text after the closing quote of cell ${cells.length}`);
    at += 1;
  }
}

function plainCells(record: string): readonly CsvCell[] {
  const cells: CsvCell[] = record.split(',');
  for (let i = 0; i < cells.length; i += 1) if (cells[i] === '') cells[i] = null;
  return cells;
}

function quotedCell(record: string, start: number): { readonly text: string; readonly end: number } | null {
  let from = start + 1;
  for (;;) {
    const quote = record.indexOf('"', from);
    if (quote === -1) return null;
    if (record[quote + 1] !== '"') return { text: record.slice(start + 1, quote).replaceAll('""', '"'), end: quote + 1 };
    from = quote + 2;
  }
}
