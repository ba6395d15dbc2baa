import type { TableColumn, TableColumns } from '../types/table-columns.ts';
import type { CopyWriter } from './copy-writer.ts';
import { isWord, plainType, type PlainType } from './plain-values.ts';

/**
 * Writes the row in the bytes of a line in the common case; otherwise returns false, with output to be discarded. Several
 * times as fast as the general parser, and most rows qualify.
 */
export type PlainRow = (bytes: Buffer, start: number, end: number) => boolean;

const CARRIAGE_RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;
const NULL = Buffer.from('null');

interface PlainColumn {
  readonly isNullable: boolean;
  readonly type: PlainType;
  readonly field: TableColumn['field'];
}

/** Returns the columns if all are of simple types, else null. */
function plainColumns({ columns }: TableColumns): readonly PlainColumn[] | null {
  const plain = columns.flatMap(({ field }) => {
    const { type } = field;
    return type.kind === 'PrimitiveType' && type.name !== 'regex'
      ? [{ field, isNullable: type.isNullable, type: plainType(type.name) }]
      : [];
  });
  return plain.length === columns.length && plain.length > 0 ? plain : null;
}

/** Rows that are objects of JSON with their members in the order of the columns; null for a table that has nested values. */
export function plainJsonRow(table: TableColumns, writer: CopyWriter): PlainRow | null {
  const plain = table.kind === 'record' ? plainColumns(table) : null;
  if (plain === null) return null;
  const columns = plain.map((column) => ({ ...column, key: Buffer.from(`${JSON.stringify(column.field.name)}:`) }));
  return (bytes, start, end) => {
    let at = start;
    if (bytes[at] !== OPEN) return false;
    at += 1;
    writer.int16(columns.length);
    for (const { key, isNullable, type } of columns) {
      if (!isAt(bytes, at, key)) {
        // Missing, or out of order: then it is found to be an unexpected member later.
        if (!isNullable) return false;
        writer.nothing();
        continue;
      }
      at += key.byteLength;
      if (bytes[at] === SPACE) at += 1;
      const isQuoted = bytes[at] === QUOTE;
      const from = isQuoted ? at + 1 : at;
      const to = isQuoted ? closingQuote(bytes, from, end) : endOfWord(bytes, from, end);
      if (to === -1) return false;
      if (!isQuoted && isWord(bytes, from, to, NULL)) {
        if (!isNullable) return false;
        writer.nothing();
      } else if (isQuoted !== type.isQuoted || !type.write(writer, bytes, from, to)) return false;
      at = isQuoted ? to + 1 : to;
      if (bytes[at] === COMMA) at += bytes[at + 1] === SPACE ? 2 : 1;
      else if (bytes[at] !== CLOSE) return false;
    }
    const isWhole = bytes[at] === CLOSE && bytes[at - 1] !== COMMA && bytes[at - 1] !== SPACE;
    return isWhole && (at + 1 === end || (at + 2 === end && bytes[at + 1] === CARRIAGE_RETURN));
  };
}

function isAt(bytes: Buffer, at: number, key: Buffer): boolean {
  return isWord(bytes, at, at + key.byteLength, key);
}

function closingQuote(bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at += 1) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) return -1;
  }
  return -1;
}

function endOfWord(bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at += 1) if (bytes[at] === COMMA || bytes[at] === CLOSE) return at;
  return -1;
}

/** Returns the writer of unquoted CSV rows in the order of the header; null for a table with nested values. */
export function plainCsvRow(table: TableColumns, header: readonly (string | null)[], writer: CopyWriter): PlainRow | null {
  const plain = plainColumns(table);
  // An empty line may be a row with one cell, or no row.
  if (plain === null || header.length < 2) return null;
  const columns = plain.map((column) => ({ ...column, place: header.indexOf(column.field.name) }));
  // Start of each cell; the last entry is the start of a further one.
  const begins = new Int32Array(header.length + 1);
  return (bytes, start, end) => {
    const last = bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    let cells = 0;
    begins[0] = start;
    for (let at = start; at < last; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) return false;
      if (byte !== COMMA) continue;
      cells += 1;
      if (cells === header.length) return false;
      begins[cells] = at + 1;
    }
    if (cells !== header.length - 1) return false;
    begins[header.length] = last + 1;
    writer.int16(columns.length);
    for (const { place, isNullable, type } of columns) {
      const [from, to] = place < 0 ? [0, 0] : [begins[place] ?? 0, (begins[place + 1] ?? 0) - 1];
      if (from === to) {
        if (!isNullable) return false;
        writer.nothing();
      } else if (!type.write(writer, bytes, from, to)) return false;
    }
    return true;
  };
}
