import type { FieldType, Type } from '@svc/query-language';
import { string } from '@svc/query-language';
import { CellShape, ReadFailure, uniqueNames } from '@svc/text-formats';

import { JsonLines, linesOf } from '../json-lines.ts';
import { ofFile } from '../of-file.ts';
import type { SheetPlace, SheetRow } from './sheet-rows.ts';
import { sheetRows } from './sheet-rows.ts';

/** Columns of sheets, inferred from their first rows. */
export interface SheetLook {
  readonly names: readonly string[];
  readonly type: Type;
  readonly hasHeader: boolean;
  readonly isSampled: boolean;
}

/** Sheets whose columns are inferred. */
export interface ExcelLookJob {
  readonly places: readonly SheetPlace[];
  /** If null, a first row whose cells are texts, or empty, is the header. */
  readonly header: boolean | null;
  readonly sampleSize: number;
}

interface ColumnShape {
  readonly shape: CellShape;
  hasText: boolean;
  rows: number;
}

/** Finds out the columns of sheets by the first one. Fails with a ReadFailure. */
export async function lookAtSheets({ places, header, sampleSize }: ExcelLookJob, signal: AbortSignal): Promise<SheetLook> {
  const columns: ColumnShape[] = [];
  let names: readonly string[] | null = null;
  let [rows, isSampled, hasHeader] = [0, false, header ?? false];
  for (const place of places) {
    let isFirst = true;
    for await (const row of each(sheetRows(place, signal))) {
      if (names === null) {
        hasHeader = header ?? row.cells.every((cell) => cell === null || !cell.isTyped);
        names = hasHeader ? headerNames(row) : [];
      }
      const isHeaderRow = isFirst && hasHeader;
      isFirst = false;
      if (isHeaderRow) continue;
      if (sampleSize >= 0 && rows >= sampleSize) {
        isSampled = true;
        break;
      }
      rows += 1;
      addRow(columns, row);
    }
    if (isSampled) break;
  }
  const width = Math.max(columns.length, names?.length ?? 0);
  const all = Array.from({ length: width }, (_, i) => names?.[i] ?? `_${i + 1}`);
  const fields = all.map((name, i): FieldType => ({ name, type: typeOf(columns[i], rows, isSampled) }));
  return { names: all, hasHeader, isSampled, type: { kind: 'RecordType', fields, isNullable: false } };
}

async function* each<Item>(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<Item> {
  for await (const batch of batches) yield* batch;
}

function addRow(columns: ColumnShape[], { cells }: SheetRow): void {
  cells.forEach((cell, i) => {
    const column = (columns[i] ??= { shape: new CellShape(), hasText: false, rows: 0 });
    if (cell === null) return;
    column.rows += 1;
    if (cell.isTyped) column.shape.add(cell.text);
    else column.hasText = true;
  });
}

function typeOf(column: ColumnShape | undefined, rows: number, isSampled: boolean): Type {
  const isNullable = isSampled || column === undefined || column.rows < rows || rows === 0;
  if (column === undefined || column.hasText) return { ...string, isNullable } as Type;
  return { ...column.shape.type({ isSampled }), isNullable } as Type; // Cells are of primitive types.
}

const MAX_HEADER_CHARACTERS = 2 ** 20;

/** Returns the header, with a length limit: a workbook stores a long text once, and may refer to it from any number of cells. */
function headerNames({ cells }: SheetRow): readonly string[] {
  if (cells.reduce((sum, cell) => sum + (cell?.text.length ?? 0), 0) > MAX_HEADER_CHARACTERS)
    throw new ReadFailure('unreadable', `the header has more than ${MAX_HEADER_CHARACTERS} characters`);
  return uniqueNames(cells.map((cell) => cell?.text ?? ''));
}

/** A sheet to convert to JSON. */
export interface ExcelLinesJob {
  readonly place: SheetPlace;
  readonly names: readonly string[];
  readonly hasHeader: boolean;
  readonly width: number;
}

/** Writes each row on the line of its number; missing rows are empty lines. Fails with a ReadFailure. */
export async function* excelLines(job: ExcelLinesJob, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const { place, names, hasHeader, width } = job;
  const lines = new JsonLines();
  const keys = names.map((name) => `${JSON.stringify(name)}:`);
  let [isFirst, line] = [true, 1];
  const pieces = linesOf(sheetRows(place, signal), lines, ({ number, cells }) => {
    const isHeader = isFirst && hasHeader;
    isFirst = false;
    if (isHeader) return;
    if (cells.slice(width).some((cell) => cell !== null))
      throw new ReadFailure(
        'unreadable',
        `row ${number} has a cell beyond the ${width} columns that were found: a larger sample_size finds more`,
      );
    for (; line < number; line += 1) lines.endLine();
    line += 1;
    let before = '{';
    cells.forEach((cell, i) => {
      const key = keys[i];
      if (cell === null || key === undefined) return;
      lines.add(before + key + JSON.stringify(cell.text));
      before = ',';
    });
    lines.add(before === '{' ? '{}' : '}');
    lines.endLine();
  });
  yield* ofFile(place.path, pieces);
}
