import type { FileColumn } from '@svc/query-engine';
import type { FieldType, PrimitiveName, Type } from '@svc/query-language';
import { castKind, printType, readTemporal, string } from '@svc/query-language';
import { CellShape, READ_MESSAGES, ReadFailure } from '@svc/text-formats';

import type { SourceFile } from './source-file.ts';

/** NULL in `key=value` folders, by convention. */
const NOTHING = '__HIVE_DEFAULT_PARTITION__';

/** Returns the columns from folders named `key=value`, in path order. */
function pathColumns(found: readonly SourceFile[]): readonly FileColumn[] {
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
function fileNameColumn(found: readonly SourceFile[]): FileColumn {
  return { field: { name: 'file_name', type: string }, values: found.map((file) => file.location) };
}

/** A declared type, split into the files' columns and those of their names. */
export interface ToldType {
  /** Null if no type was declared. */
  readonly own: Type | null;
  readonly fileColumns: readonly FileColumn[];
}

/** Columns requested of a file's name and folders. */
export interface WantedColumns {
  readonly wantsFileName: boolean;
  /** True if a value of another type than declared is NULL, for nullable columns. */
  readonly isLenient: boolean;
}

/**
 * Splits off the columns of the files' names: all if no type was declared, else those that it contains, and the file name if
 * requested. Fails with a ReadFailure if a name is not a value of its declared type.
 */
export function splitTold(told: Type | null, found: readonly SourceFile[], { wantsFileName, isLenient }: WantedColumns): ToldType {
  const ofPaths = pathColumns(found).filter(({ field }) => !(wantsFileName && field.name === 'file_name'));
  const ofNames = wantsFileName ? [fileNameColumn(found)] : [];
  if (told === null) return { own: null, fileColumns: [...ofPaths, ...ofNames] };
  const row = told.kind === 'CollectionType' ? told.element : told;
  if (row.kind !== 'RecordType') return { own: told, fileColumns: ofNames };
  const byName = new Map([...ofPaths, ...ofNames].map((column) => [column.field.name, column]));
  const fileColumns = row.fields.flatMap((field) => {
    const column = byName.get(field.name);
    return column === undefined
      ? []
      : [{ field, values: column.values.map((value, i) => toldValue(value, field, { file: found[i], isLenient })) }];
  });
  const ownRow: Type = { ...row, fields: row.fields.filter((field) => !byName.has(field.name)) };
  const unnamed = ofNames.filter((column) => !fileColumns.some(({ field }) => field.name === column.field.name));
  return { own: told.kind === 'CollectionType' ? { ...told, element: ownRow } : ownRow, fileColumns: [...fileColumns, ...unnamed] };
}

/** Returns the files whose names are valid values of the declared types; with `on_error := "skip"` the others are dropped. */
export function fittingFiles(told: Type | null, found: readonly SourceFile[]): readonly SourceFile[] {
  const row = told?.kind === 'CollectionType' ? told.element : null;
  if (row?.kind !== 'RecordType') return found;
  const byName = new Map(pathColumns(found).map(({ field, values }) => [field.name, values]));
  const asked = row.fields.flatMap(({ name, type }) => {
    const values = byName.get(name);
    return values === undefined ? [] : [{ type, values }];
  });
  return found.filter((_, i) => asked.every(({ type, values }) => isValue(values[i] ?? null, type)));
}

interface ValueOfFile {
  readonly file: SourceFile | undefined;
  readonly isLenient: boolean;
}

function toldValue(value: string | null, { name, type }: FieldType, { file, isLenient }: ValueOfFile): string | null {
  if (isValue(value, type)) return value;
  if (isLenient && type.isNullable) return null;
  const reason = value === null ? READ_MESSAGES.absent : READ_MESSAGES.misfit(value, printType({ ...type, isNullable: false }));
  throw new ReadFailure('unreadable', `column ${name}: ${reason}`, { sourcePath: file?.path });
}

function isValue(value: string | null, type: Type): boolean {
  return value === null ? type.isNullable : isText(value, type);
}

const BITS: Partial<Record<PrimitiveName, number>> = { byte: 8, short: 16, int: 32, long: 64 };

/** Returns whether a text is a value of the type, like a CSV cell. */
function isText(text: string, type: Type): boolean {
  if (type.kind === 'AnyType') return true;
  if (type.kind !== 'PrimitiveType') return false;
  if (type.name === 'string') return true;
  if (type.name === 'interval') return readTemporal('interval', text) !== null;
  const shape = new CellShape();
  shape.add(text);
  const found = shape.type({ isSampled: true });
  const bits = BITS[type.name];
  if (bits !== undefined) return isNamed(found, 'long') && BigInt.asIntN(bits, wholeNumber(text)) === wholeNumber(text);
  if (isNamed(found, 'string')) return false;
  if (isNamed(found, 'date') && type.name === 'timestamp') return true;
  if (isNamed(found, 'double') && type.name === 'decimal') return /^[+-]?\d{0,20}(?:\.\d*)?$/.test(text.trim());
  return castKind(found, type) === 'identity' || castKind(found, type) === 'always' || (isNamed(found, 'double') && type.name === 'float');
}

function isNamed(type: Type, name: PrimitiveName): boolean {
  return type.kind === 'PrimitiveType' && type.name === name;
}

function wholeNumber(text: string): bigint {
  return BigInt(text.trim().replace(/^\+/, ''));
}
