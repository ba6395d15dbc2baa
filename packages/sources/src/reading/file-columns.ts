import type { FileColumn } from '@svc/query-engine';
import { CellShape } from '@svc/query-engine';
import type { Type } from '@svc/query-language';
import { string } from '@svc/query-language';

import type { FoundFile } from '../transports/find-files.ts';

/** What writers of `key=value` folders write for NULL. */
const NOTHING = '__HIVE_DEFAULT_PARTITION__';

/** The columns that folders named `key=value` add, in the order in which they stand in the paths. */
function pathColumns(found: readonly FoundFile[]): readonly FileColumn[] {
  const ofFiles = found.map((file) => new Map(file.location.split('/').slice(0, -1).flatMap(keyAndValue)));
  const names = new Set(ofFiles.flatMap((keys) => [...keys.keys()]));
  return [...names].map((name) => {
    const values = ofFiles.map((keys) => keys.get(name) ?? null);
    const shape = new CellShape();
    for (const value of values) shape.add(value);
    return { field: { name, type: shape.type({ isSampled: false }) }, values };
  });
}

function keyAndValue(segment: string): readonly (readonly [string, string | null])[] {
  const match = /^(?:file:)?([^=]+)=(.*)$/s.exec(segment);
  if (match === null) return [];
  const value = decoded(match[2] ?? '');
  return [[decoded(match[1] ?? ''), value === NOTHING || value === '' ? null : value]];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The column `file_name`. */
function fileNameColumn(found: readonly FoundFile[]): FileColumn {
  return { field: { name: 'file_name', type: string }, values: found.map((file) => file.location) };
}

/** A told type, parted into what the files hold and what their names say. */
export interface ToldType {
  /** Null where nothing was told. */
  readonly own: Type | null;
  readonly fileColumns: readonly FileColumn[];
}

/** Which columns the files' names give: all where no type was told, else those that it names, and the file's name where it was asked for. */
export function splitTold(told: Type | null, found: readonly FoundFile[], wantsFileName: boolean): ToldType {
  const ofPaths = pathColumns(found).filter(({ field }) => !(wantsFileName && field.name === 'file_name'));
  const ofNames = wantsFileName ? [fileNameColumn(found)] : [];
  if (told === null) return { own: null, fileColumns: [...ofPaths, ...ofNames] };
  const row = told.kind === 'CollectionType' ? told.element : told;
  if (row.kind !== 'RecordType') return { own: told, fileColumns: ofNames };
  const byName = new Map([...ofPaths, ...ofNames].map((column) => [column.field.name, column]));
  const fileColumns = row.fields.flatMap((field) => {
    const column = byName.get(field.name);
    return column === undefined ? [] : [{ ...column, field }];
  });
  const ownRow: Type = { ...row, fields: row.fields.filter((field) => !byName.has(field.name)) };
  const unnamed = ofNames.filter((column) => !fileColumns.some(({ field }) => field.name === column.field.name));
  return { own: told.kind === 'CollectionType' ? { ...told, element: ownRow } : ownRow, fileColumns: [...fileColumns, ...unnamed] };
}
