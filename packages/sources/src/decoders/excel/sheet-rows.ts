import { ReadFailure } from '@svc/text-formats';

import { ofFile } from '../of-file.ts';
import type { XmlNode } from '../xml/xml-node.ts';
import { xmlNodes } from '../xml/xml-nodes.ts';
import { serialText } from './serial-date.ts';
import type { Workbook } from './workbook.ts';
import { attribute, plainText, readWorkbook, richText } from './workbook.ts';
import { ZipFile } from './zip-file.ts';

/** A cell: text as it was typed, or the text of a number, a date or a truth value. */
export interface Cell {
  readonly text: string;
  readonly isTyped: boolean;
}

/** A row with cells, by its number in the sheet from 1; empty cells are null. */
export interface SheetRow {
  readonly number: number;
  readonly cells: readonly (Cell | null)[];
}

/** Location of rows in a workbook. */
export interface SheetPlace {
  readonly path: string;
  /** Null: the first. */
  readonly sheet: string | null;
  /** Rows at the top that are passed over. */
  readonly skip: number;
}

/** Limits of Excel. */
const MAX_COLUMNS = 16_384;
const MAX_ROWS = 2 ** 20;

/** Yields the non-empty rows of a sheet in order and holds one row at a time. Throws a ReadFailure. */
export function sheetRows(place: SheetPlace, signal: AbortSignal): AsyncGenerator<readonly SheetRow[]> {
  return ofFile(place.path, rowsOf(place, signal));
}

async function* rowsOf({ path, sheet, skip }: SheetPlace, signal: AbortSignal): AsyncGenerator<readonly SheetRow[]> {
  const zip = await ZipFile.open(path);
  try {
    const workbook = await readWorkbook(zip, sheet, signal);
    let number = 0;
    for await (const nodes of xmlNodes(zip.text(workbook.sheetPart, signal), { kind: 'named', tag: 'row' })) {
      const rows: SheetRow[] = [];
      for (const node of nodes) {
        number = Number(attribute(node, 'r') ?? number + 1);
        if (!(number <= MAX_ROWS)) throw new ReadFailure('unreadable', `a row has a number beyond ${MAX_ROWS}`);
        if (number <= skip) continue;
        const cells = cellsOf(node, workbook);
        if (cells.some((cell) => cell !== null)) rows.push({ number, cells });
      }
      yield rows;
    }
  } finally {
    zip.close();
  }
}

function cellsOf(row: XmlNode, workbook: Workbook): readonly (Cell | null)[] {
  const cells: (Cell | null)[] = [];
  for (const node of row.children) {
    if (node.name !== 'c') continue;
    const column = columnOf(attribute(node, 'r')) ?? cells.length;
    if (column >= MAX_COLUMNS) throw new ReadFailure('unreadable', `a row has more than ${MAX_COLUMNS} cells`);
    while (cells.length < column) cells.push(null);
    cells[column] = cellOf(node, workbook);
  }
  return cells;
}

/** `AB12` is column 27. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^([A-Za-z]{1,3})\d+$/.exec(reference ?? '')?.[1];
  if (letters === undefined) return null;
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function cellOf(node: XmlNode, { strings, dateStyles, is1904 }: Workbook): Cell | null {
  const inline = node.children.find((child) => child.name === 'is');
  const value = node.children.find((child) => child.name === 'v')?.text ?? (inline === undefined ? '' : richText(inline));
  if (value === '') return null;
  switch (attribute(node, 't') ?? 'n') {
    case 'str':
      return textCell(plainText(value));
    case 's':
      return textCell(strings[Number(value)] ?? '');
    case 'b':
      return { text: value === '1' || value === 'true' ? 'true' : 'false', isTyped: true };
    case 'd':
      return { text: value.replace('T', ' '), isTyped: true };
    case 'n':
      return numberCell(value, dateStyles[Number(attribute(node, 's') ?? 0)] === true, is1904);
    default:
      return textCell(value);
  }
}

function textCell(text: string): Cell | null {
  return text === '' ? null : { text, isTyped: false };
}

function numberCell(value: string, isDate: boolean, is1904: boolean): Cell {
  const number = Number(value);
  if (Number.isNaN(number)) return { text: value, isTyped: false };
  return { text: (isDate ? serialText(number, is1904) : null) ?? String(number), isTyped: true };
}
