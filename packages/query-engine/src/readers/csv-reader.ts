import { printType, type FieldType, type PrimitiveType, type Type } from '@svc/query-language';
import { READ_MESSAGES, type Compression } from '@svc/text-formats';

import { duckType } from '../representation/duck-type.ts';
import { memberNames } from '../representation/member-names.ts';
import { quoteIdentifier, quoteText } from '../representation/sql-text.ts';
import { FILE_NAME_OPTION, fileColumnSql, fileList, needsFileName } from './file-columns.ts';
import { failAbsent, failReading, fromDouble, fromText, isUnfit, notNull, type Raise, type ReadContext } from './from-text.ts';
import { MADE_OF_OTHERS } from './text-values.ts';
import { MOST_LINE_BYTES, type CsvField, type CsvReadPlan, type ReadPart } from './read-plan.ts';

/** Types whose cells the engine converts while reading: fast, and its errors name line and column. */
const NATIVE: ReadonlySet<string> = new Set(['float', 'double', 'bool', 'string']);

/** Types whose values a double holds exactly. */
const SHORT_INTEGERS: ReadonlySet<string> = new Set(['byte', 'short', 'int']);

/** The SQL of the rows of CSV files, and of each field of a row. */
export interface CsvRelation {
  readonly from: string;
  readonly columns: readonly ReadPart[];
}

/** The columns of the needed fields over `read_csv`. */
export function csvRelation(plan: CsvReadPlan, isNeeded: (field: FieldType) => boolean): CsvRelation {
  const names = memberNames(plan.columns);
  const fields = plan.fields.filter(({ field }) => isNeeded(field));
  const fileColumns = plan.fileColumns.filter(({ field }) => isNeeded(field));
  const declared = new Map<number, string>();
  const columns: ReadPart[] = fields.map((csvField) => {
    const { field, column } = csvField;
    if (column === null) return { field, expression: `CAST(NULL AS ${duckType(field.type)})` };
    const name = names[column] ?? '';
    if (isNative(plan, csvField)) declared.set(column, duckType(field.type));
    else if (typeReadAsDouble(plan, csvField) !== null) declared.set(column, 'DOUBLE');
    return { field, expression: cell(plan, csvField, name) };
  });
  const declarations = names.map((name, i) => `${quoteText(name)}: ${quoteText(declared.get(i) ?? 'VARCHAR')}`);
  const conditions = plan.onError === 'skip' ? plan.fields.flatMap((csvField) => goodCell(csvField, names)) : [];
  const options = [
    ...dialectOptions(plan),
    `columns={${declarations.join(', ')}}`,
    ...(needsFileName(fileColumns) ? [FILE_NAME_OPTION] : []),
  ];
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return {
    from: `read_csv(${[fileList(plan.files), ...options].join(', ')}) AS f${where}`,
    columns: [...columns, ...fileColumns.map((column) => ({ field: column.field, expression: fileColumnSql(plan, column) }))],
  };
}

/** The engine requires some NULL string: this one consists of code points that are not characters. */
const NO_TEXT = '\uFFFF\uFFFE\uFFFF';

/** Maximum number of bytes in a line of CSV. */
export const MOST_CSV_LINE_BYTES = 2_000_000;

/** Size of the engine's buffer in bytes: it cannot read a longer line. */
export const MOST_CSV_BUFFER_BYTES = 32_000_000;

/** Options for rows that are to be stored. */
const STORAGE_OPTIONS = [`max_line_size=${MOST_LINE_BYTES}`, `buffer_size=${2 * MOST_LINE_BYTES}`];

/**
 * Options of reading a compressed file, by several threads while it is decompressed. With one thread (`parallel=false`) the engine
 * drops all rows from a quote on that does not end. With several it drops a last line longer than its buffer, which is checked before.
 */
export function compressionOptions(compression: Compression | null): readonly string[] {
  return compression === null ? [] : [`compression='${compression}'`];
}

type DialectPlan = Pick<CsvReadPlan, 'dialect' | 'compression' | 'onError' | 'isForStorage'>;

function dialectOptions({ dialect, compression, onError, isForStorage }: DialectPlan): readonly string[] {
  return [
    'auto_detect=false',
    `header=${String(dialect.hasHeader)}`,
    `delim=${quoteText(dialect.delimiter)}`,
    `quote=${quoteText(dialect.quote)}`,
    `escape=${quoteText(dialect.escape)}`,
    `skip=${dialect.skip}`,
    `nullstr=[${(dialect.nulls.length === 0 ? [NO_TEXT] : dialect.nulls).map(quoteText).join(', ')}]`,
    'allow_quoted_nulls=false',
    ...(dialect.encoding === null ? [] : [`encoding=${quoteText(dialect.encoding)}`]),
    ...compressionOptions(compression),
    ...(isForStorage === true ? STORAGE_OPTIONS : []),
    ...(onError === 'skip' ? ['ignore_errors=true'] : []),
  ];
}

function isNative(plan: CsvReadPlan, { field }: CsvField): boolean {
  if (plan.onError !== 'fail' || field.type.kind !== 'PrimitiveType') return false;
  return NATIVE.has(field.type.name) || (plan.areIntegersWhole && MADE_OF_OTHERS.has(field.type.name));
}

/**
 * Returns the type of an integer that is read as a double, else null. That costs a tenth more than the engine's own conversion,
 * which rounds a fraction without an error; reading it as text costs 40 % more.
 */
function typeReadAsDouble({ onError, areIntegersWhole }: CsvReadPlan, { field: { type }, fitsDouble }: CsvField): PrimitiveType | null {
  if (onError !== 'fail' || areIntegersWhole || type.kind !== 'PrimitiveType') return null;
  return fitsDouble === true || SHORT_INTEGERS.has(type.name) ? type : null;
}

/**
 * Returns the condition that a row is not skipped because of this cell; applied to all fields, so that the rows do not
 * depend on the needed columns.
 */
function goodCell({ field, column }: CsvField, names: readonly string[]): readonly string[] {
  const { type } = field;
  if (column === null || type.kind !== 'PrimitiveType') return [];
  return [`NOT ${isUnfit(`f.${quoteIdentifier(names[column] ?? '')}`, type, { format: 'csv' })}`];
}

/** `read_csv` of all columns as text, with the names. */
export function textCells(
  csv: DialectPlan & Pick<CsvReadPlan, 'files'>,
  names: readonly string[],
  options: readonly string[] = [],
): string {
  const columns = names.map((name) => `${quoteText(name)}: 'VARCHAR'`);
  return `read_csv(${[fileList(csv.files), ...dialectOptions(csv), ...options, `columns={${columns.join(', ')}}`].join(', ')})`;
}

function cell(plan: CsvReadPlan, csvField: CsvField, name: string): string {
  const { field } = csvField;
  const context = csvContext(plan, field);
  const x = `f.${quoteIdentifier(name)}`;
  const integer = typeReadAsDouble(plan, csvField);
  if (integer !== null) return fromDouble({ cell: x, double: x, text: `CAST(${x} AS VARCHAR)` }, integer, context);
  if (!isNative(plan, csvField)) return textCell(x, field.type, context);
  return field.type.isNullable || plan.isTrusted ? x : notNull(x, duckType(field.type), context);
}

/** SQL of the value of a field whose cell was read as text: as `csvRelation` reads it. */
export function textField(x: string, csvField: CsvField, plan: CsvReadPlan, raise?: Raise): string {
  const { field } = csvField;
  const context = { ...csvContext(plan, field), raise };
  const integer = typeReadAsDouble(plan, csvField);
  if (integer !== null) return fromDouble({ cell: x, double: `TRY_CAST(${x} AS DOUBLE)`, text: x }, integer, context);
  return textCell(x, field.type, context);
}

function textCell(x: string, type: Type, context: ReadContext): string {
  if (type.kind === 'PrimitiveType') return fromText(x, type, context);
  const carrier = duckType(type);
  if (type.kind === 'AnyType') return type.isNullable ? `to_json(${x})` : notNull(x, carrier, context, `to_json(${x})`);
  // Of a nested type, for storage only: it can be NULL.
  const misfit = failReading(context, quoteText(READ_MESSAGES.noCellType(printType(type))), carrier);
  return `CASE WHEN ${x} IS NOT NULL THEN ${misfit} ${type.isNullable ? '' : `ELSE ${failAbsent(context, carrier)} `}END`;
}

function csvContext({ isForStorage, onError }: CsvReadPlan, { name }: FieldType): ReadContext {
  return { format: 'csv', path: isForStorage === true ? name : `column ${name}`, isLenient: onError !== 'fail', isForStorage };
}
