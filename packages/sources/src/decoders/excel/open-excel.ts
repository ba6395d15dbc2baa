import type { FieldType, Type } from '@svc/query-language';
import { printType, string } from '@svc/query-language';
import { CellShape, DEFAULT_SAMPLE_SIZE, EngineFailure, uniqueNames } from '@svc/query-engine';

import type { OpenedRead, ReadRequest } from '../../reading/read-request.ts';
import { rowOptions, textOption } from '../../reading/read-request.ts';
import { fetched } from '../../reading/prepare-files.ts';
import type { Copy } from '../../spool/spool.ts';
import { readJsonCopies } from '../json-copy.ts';
import { JsonLines, linesOf } from '../json-lines.ts';
import { ofFile } from '../of-file.ts';
import type { SheetPlace, SheetRow } from './sheet-rows.ts';
import { sheetRows } from './sheet-rows.ts';

/** Finds out the columns of a sheet of Excel workbooks by the first one; they are read as copies in JSON. */
export async function openExcel(request: ReadRequest): Promise<OpenedRead> {
  const { need, seen, told, spool, signal } = request;
  const { fileColumns, onError, sampleSize = DEFAULT_SAMPLE_SIZE } = rowOptions(request);
  const places = seen.map(({ found }): SheetPlace => ({
    path: found.path,
    sheet: textOption(need.options, 'sheet') ?? null,
    skip: typeof need.options['skip'] === 'number' ? need.options['skip'] : 0,
  }));
  const header = need.options['has_header'];
  const look = await lookAtSheets(places, { header: typeof header === 'boolean' ? header : null, sampleSize, signal });
  const rowType = told.own === null ? look.type : toldRow(told.own);
  const names = told.own === null ? look.names : namesFor(rowType, look);
  const copies = places.map((place, i): Copy => ({
    key: `excel ${JSON.stringify([place.sheet, place.skip, look.hasHeader, names])} ${seen[i]?.found.identity ?? ''}`,
    pieces: (until) =>
      ofFile(place.path, jsonLines(sheetRows(place, until), { names, hasHeader: look.hasHeader, width: look.names.length })),
  }));
  return readJsonCopies({
    format: 'excel',
    files: seen.map(({ found }, i) => ({ path: spool.pathOf(copies[i] as Copy), location: found.location })), // One for each file.
    copies: [...fetched(seen), ...copies],
    rowType,
    isCollection: true,
    isSampled: told.own === null && look.isSampled,
    isTrusted: told.own === null && !look.isSampled,
    onError,
    fileColumns,
    maxObjectBytes: 0,
  });
}

function toldRow(told: Type): Type {
  if (told.kind === 'CollectionType' && told.element.kind === 'RecordType') return told.element;
  throw new EngineFailure('unreadable', `expected ${printType(told)} but a sheet is a collection of records`);
}

/** The name that each column has in a told type: by its header, without regard to case if need be, or by its place. */
function namesFor(rowType: Type, look: SheetLook): readonly string[] {
  const fields = rowType.kind === 'RecordType' ? rowType.fields : [];
  const named = look.names.map((name, i) => {
    const exact = fields.find((field) => field.name === name);
    if (exact !== undefined) return exact.name;
    if (!look.hasHeader) return fields[i]?.name ?? name;
    return fields.find((field) => field.name.toLowerCase() === name.toLowerCase() && !look.names.includes(field.name))?.name ?? name;
  });
  const missing = fields.find((field) => !field.type.isNullable && !named.includes(field.name));
  if (missing !== undefined) throw new EngineFailure('unreadable', `the sheet has no column ${missing.name}`);
  return named;
}

interface SheetLook {
  readonly names: readonly string[];
  readonly type: Type;
  readonly hasHeader: boolean;
  readonly isSampled: boolean;
}

interface LookOptions {
  /** Null: a first row of nothing but texts is one. */
  readonly header: boolean | null;
  readonly sampleSize: number;
  readonly signal: AbortSignal;
}

interface ColumnShape {
  readonly shape: CellShape;
  hasText: boolean;
  rows: number;
}

async function lookAtSheets(places: readonly SheetPlace[], { header, sampleSize, signal }: LookOptions): Promise<SheetLook> {
  const columns: ColumnShape[] = [];
  let names: readonly string[] | null = null;
  let [rows, isSampled, hasHeader] = [0, false, header ?? false];
  for (const place of places) {
    let isFirst = true;
    for await (const row of each(sheetRows(place, signal))) {
      if (names === null) {
        hasHeader = header ?? row.cells.every((cell) => cell !== null && !cell.isTyped);
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

/** A workbook says a long text once, and shows it in as many cells as it likes. */
function headerNames({ cells }: SheetRow): readonly string[] {
  if (cells.reduce((sum, cell) => sum + (cell?.text.length ?? 0), 0) > MAX_HEADER_CHARACTERS)
    throw new EngineFailure('unreadable', `the header has more than ${MAX_HEADER_CHARACTERS} characters`);
  return uniqueNames(cells.map((cell) => cell?.text ?? ''));
}

interface Columns {
  readonly names: readonly string[];
  readonly hasHeader: boolean;
  readonly width: number;
}

/** Each row on the line of its number: what is left out is an empty line. */
function jsonLines(rows: AsyncIterable<readonly SheetRow[]>, { names, hasHeader, width }: Columns): AsyncGenerator<Uint8Array> {
  const lines = new JsonLines();
  const keys = names.map((name) => `${JSON.stringify(name)}:`);
  let [isFirst, line] = [true, 1];
  return linesOf(rows, lines, ({ number, cells }) => {
    const isHeader = isFirst && hasHeader;
    isFirst = false;
    if (isHeader) return;
    if (cells.slice(width).some((cell) => cell !== null))
      throw new EngineFailure(
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
}
