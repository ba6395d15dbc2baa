import { printType } from '@svc/query-language';

import type { TableColumn, TableColumns } from '../types/table-columns.ts';
import type { CopyWriter } from './copy-writer.ts';
import { csvCells, type CsvCell } from './csv-cells.ts';
import { jsonRowEncoder, writeNull } from './encode-row.ts';
import { jsonParser, type JsonValue } from './exact-json.ts';
import { primitiveValues } from './primitive-values.ts';
import { isTooLong, tooLong } from './line-blocks.ts';
import { plainCsvRow, plainJsonRow, type PlainRow } from './plain-rows.ts';
import { RowError, shown } from './row-error.ts';

/** Format of uploaded rows: one JSON value per line, or comma-separated with a header. */
export type RowFormat = 'json-lines' | 'csv';

/** Parses lines in sequence and writes their rows. Throws RowError; `firstLine` is the line at which the row began then. */
interface RowReader {
  readonly take: (bytes: Buffer, start: number, end: number) => void;
  /** Call it after the last line. */
  readonly finish: () => void;
  readonly rowCount: () => number;
  /** The line, from 1, in which the latest row began. */
  readonly firstLine: () => number;
}

/** Creates a parser of a format, which passes rows to `writer`. */
export function rowReader(format: RowFormat, columns: TableColumns, writer: CopyWriter): RowReader {
  return format === 'csv' ? csvReader(columns, writer) : jsonLinesReader(columns, writer);
}

function jsonLinesReader(columns: TableColumns, writer: CopyWriter): RowReader {
  const encode = jsonRowEncoder(columns);
  const parse = jsonParser(columns);
  const plain = plainJsonRow(columns, writer);
  let [line, rows] = [0, 0];
  return {
    take: (bytes, start, end) => {
      line += 1;
      if (!takePlain(writer, plain, bytes, start, end)) {
        const text = bytes.toString('utf8', start, end);
        if (isBlank(text)) return;
        refuseDepth(() => encode(writer, parseLine(text, parse)));
      }
      rows += 1;
    },
    finish: () => {},
    rowCount: () => rows,
    firstLine: () => Math.max(line, 1),
  };
}

/** Returns whether the row was written; otherwise nothing was. */
function takePlain(writer: CopyWriter, plain: PlainRow | null, bytes: Buffer, start: number, end: number): boolean {
  if (plain === null) return false;
  const position = writer.position();
  if (plain(bytes, start, end)) return true;
  writer.rewind(position);
  return false;
}

function parseLine(text: string, parse: (text: string) => JsonValue): JsonValue {
  try {
    return parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new RowError(null, 'it is not one JSON value');
    throw cause;
  }
}

/** Values nested by the hundred thousand exhaust the stack of recursive code. */
function refuseDepth(work: () => void): void {
  try {
    work();
  } catch (cause) {
    if (cause instanceof RangeError && cause.message.startsWith('Maximum call stack')) throw new RowError(null, 'it is nested too deeply');
    throw cause;
  }
}

function isBlank(text: string): boolean {
  return text === '' || text === '\r' || text.trim() === '';
}

function csvReader(table: TableColumns, writer: CopyWriter): RowReader {
  let encode: ((cells: readonly CsvCell[]) => void) | null = null;
  let plain: PlainRow | null = null;
  let [line, begun, rows] = [0, 0, 0];
  const open = new OpenRecord();
  const takeRecord = (cells: readonly CsvCell[]): void => {
    if (encode === null) {
      encode = csvRowEncoder(table, cells, writer);
      plain = plainCsvRow(table, cells, writer);
    } else {
      encode(cells);
      rows += 1;
    }
  };
  return {
    take: (bytes, start, end) => {
      line += 1;
      if (open.isEmpty()) {
        begun = line;
        if (takePlain(writer, plain, bytes, start, end)) {
          rows += 1;
          return;
        }
      }
      const text = bytes.toString('utf8', start, end);
      if (open.isEmpty()) {
        const record = withoutReturn(text);
        // A blank line is a row only if a row may consist of one empty cell.
        if (record === '' && (encode === null || table.columns.length !== 1)) return;
        const cells = csvCells(record);
        if (cells === null) open.add(text);
        else takeRecord(cells);
      } else if (open.isEndedBy(text)) {
        const cells = csvCells(open.take(withoutReturn(text)));
        if (cells === null) throw new Error('a record with an even number of quotes is complete');
        takeRecord(cells);
      } else open.add(text);
    },
    finish: () => {
      if (!open.isEmpty()) throw new RowError(null, 'a quoted cell does not end');
      if (encode === null) throw new RowError(null, 'there is no header: the first line names the fields');
    },
    rowCount: () => rows,
    firstLine: () => Math.max(begun, 1),
  };
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

/** Lines of a record with an open quoted cell. Each is scanned once: a cell may have a million. */
class OpenRecord {
  #lines: string[] = [];
  #length = 0;

  isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Within quotes the line ending is text, as it was sent. */
  add(line: string): void {
    this.#lines.push(line);
    this.#length += line.length + 1;
    if (isTooLong(this.#length)) throw tooLong();
  }

  /** Returns whether a line ends the quoted cell: it has an odd number of quotes. */
  isEndedBy(line: string): boolean {
    let isOdd = false;
    for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) isOdd = !isOdd;
    return isOdd;
  }

  /** The record with its last line. */
  take(last: string): string {
    const record = [...this.#lines, last].join('\n');
    [this.#lines, this.#length] = [[], 0];
    return record;
  }
}

/** Parses the header; returns the writer of records with these columns. */
export function csvRowEncoder(
  { columns }: TableColumns,
  header: readonly CsvCell[],
  writer: CopyWriter,
): (cells: readonly CsvCell[]) => void {
  const known = columns.map(({ field }) => field.name);
  header.forEach((name, i) => {
    if (name === null || !known.includes(name))
      throw new RowError(name, `the table has no such field (known: ${known.join(', ') || 'none'})`);
    if (header.indexOf(name) !== i) throw new RowError(name, 'the header names it twice');
  });
  const encoders = columns.map((column) => ({ encode: cellEncoder(column, writer), place: header.indexOf(column.field.name) }));
  return (cells) => {
    if (cells.length !== header.length) throw new RowError(null, `expected ${header.length} cells as in the header, found ${cells.length}`);
    writer.int16(encoders.length);
    for (const { encode, place } of encoders) encode(place < 0 ? null : (cells[place] ?? null));
  };
}

function cellEncoder({ field }: TableColumn, writer: CopyWriter): (cell: CsvCell) => void {
  const { name, type } = field;
  if (type.kind !== 'PrimitiveType') {
    return (cell) => {
      if (cell !== null) throw new RowError(name, `csv cannot hold ${printType(type)}: send JSON lines`);
      writeNull(writer, field);
    };
  }
  const { expected, fromText, write } = primitiveValues(type.name);
  return (cell) => {
    if (cell === null) return writeNull(writer, field);
    const value = fromText(cell);
    if (value === undefined) throw new RowError(name, `expected ${type.name} (${expected}), found ${shown(cell)}`);
    write(writer, value);
  };
}
