import type { FieldType, RecordType, Type } from '@svc/query-language';

import { hasExactNames } from '../representation/member-names.ts';
import { memberParts } from '../representation/relation-layout.ts';
import { quoteIdentifier, quoteText } from '../representation/sql-text.ts';
import { sqlText } from '../sql/print-sql.ts';
import { SQL } from '../sql/sql.ts';
import { hiddenMembers, PROTOTYPE_OPTIONS, unknownMembers } from './json-prototype.ts';
import { FILE_NAME_COLUMN, FILE_NAME_OPTION, fileColumnSql, fileList, needsFileName } from './file-columns.ts';
import { failSilently } from './from-text.ts';
import { fitsType } from './json-fit.ts';
import { failUnknown, fromJson, jsonReading, memberFromJson, nullIfNull, type JsonMode } from './json-reading.ts';
import type { FileColumn, JsonFileLayout, JsonReadPlan, ReadFile, ReadPart } from './read-plan.ts';

/** SQL of JSON files: of each field of a row, or of its whole value. */
export type JsonRelations =
  | { readonly kind: 'columns'; readonly relations: readonly JsonColumns[] }
  | { readonly kind: 'value'; readonly relations: readonly { readonly from: string; readonly expression: string }[] };

/** The SQL of the fields of a row; `closed` as `RelationPart` has it. */
export interface JsonColumns {
  readonly from: string;
  readonly columns: readonly ReadPart[];
  readonly closed?: { readonly from: string; readonly own: readonly string[]; readonly others: readonly string[] };
}

/** Returns one relation per run of files with the same layout. Records are read by column, other values as JSON. */
export function jsonRelations(plan: JsonReadPlan, isNeeded: (field: FieldType) => boolean): JsonRelations {
  if (plan.onError === 'skip') return skippingRelations(plan, isNeeded);
  const runs = runsOfFiles(plan);
  const mode = modeOf(plan);
  const { rowType } = plan;
  if (rowType.kind !== 'RecordType' || rowType.isNullable) {
    const expression = jsonMember(rowType, null, mode);
    return { kind: 'value', relations: runs.map((run) => ({ from: objectsOf(plan, run), expression })) };
  }
  const fields = rowType.fields.filter(isNeeded);
  const fileColumns = plan.fileColumns.filter(({ field }) => isNeeded(field));
  const columnsOf = (run: FileRun, own: readonly ReadPart[]): readonly ReadPart[] => [...own, ...fileParts(plan, run, fileColumns)];
  // The engine's reader, with errors ignored, drops the row after one that it cannot read.
  if (!hasExactNames(fields) || fields.length === 0 || mode.isLenient) {
    const own = fields.map((field) => ({ field, expression: jsonMember(rowType, field.name, mode) }));
    const where = plan.isClosed ? ` WHERE ${isClosedObject(plan, rowType)}` : '';
    return {
      kind: 'columns',
      relations: runs.map((run) => ({ from: `${objectsOf(plan, run, fileColumns)}${where}`, columns: columnsOf(run, own) })),
    };
  }
  const readings = fields.map((field) => ({ field, reading: jsonReading(field.type, mode) }));
  const own = readings.map(({ field, reading }) => {
    const x = `f.${quoteIdentifier(field.name)}`;
    return { field, expression: reading.convert?.(x, field.name) ?? x };
  });
  const columns = `columns={${readings.map(({ field, reading }) => `${quoteText(field.name)}: ${quoteText(reading.engineType)}`).join(', ')}}`;
  return {
    kind: 'columns',
    relations: runs.map((run) => ({
      from: `read_json(${[...options(plan, run, fileColumns), 'auto_detect=false', `records='true'`, columns].join(', ')}) AS f`,
      columns: columnsOf(run, own),
      ...closedBy(plan, run, fields),
    })),
  };
}

/** Returns the relation of a run with a prototype, and its columns that fields are derived from, besides others. */
function closedBy(plan: JsonReadPlan, run: FileRun, fields: readonly FieldType[]): Pick<JsonColumns, 'closed'> {
  const prototype = plan.prototypes?.[run.layout];
  if (prototype === undefined) return {};
  const files = { ...run, files: [{ path: prototype, location: '' }, ...run.files] };
  const column = `f.${quoteIdentifier(FILE_NAME_COLUMN)}`;
  const all = [...options(plan, files, []), FILE_NAME_OPTION, ...PROTOTYPE_OPTIONS];
  return {
    closed: {
      from: `read_json(${all.join(', ')}) AS f WHERE ${column} <> ${quoteText(prototype)}`,
      own: fields.map(({ name }) => `f.${quoteIdentifier(name)}`),
      others: hiddenMembers(plan).map((name) => `f.${quoteIdentifier(name)}`),
    },
  };
}

/** SQL that is TRUE for a document `f.json` without members that the type lacks, and fails for others. */
function isClosedObject(plan: JsonReadPlan, { fields }: RecordType): string {
  const names = [...fields.map(({ name }) => name), ...hiddenMembers(plan)];
  const unknown = unknownMembers('f.json', names, 'm');
  const context = { format: 'json', path: '', isLenient: false, isForStorage: plan.isForStorage } as const;
  const failure = failUnknown(`${unknown}[1]`, names, { context, carrier: 'BOOLEAN' });
  return `CASE WHEN len(${unknown}) > 0 THEN ${failure} ELSE TRUE END`;
}

/** Returns the strictness of a plan's reader. */
export function modeOf(plan: JsonReadPlan): JsonMode {
  const { isTrusted, areIntegersWhole: isWhole, isClosed, isForStorage } = plan;
  return { isTrusted, isLenient: plan.onError === 'null', isWhole, isClosed, isForStorage, hidden: hiddenMembers(plan) };
}

/** Leaves out rows that cannot be read, by all their fields, so that the rows do not depend on the needed columns. */
function skippingRelations(plan: JsonReadPlan, isNeeded: (field: FieldType) => boolean): JsonRelations {
  const { rowType } = plan;
  const mode = { ...modeOf(plan), isTrusted: false, isLenient: false, raise: failSilently };
  const document = nullIfNull('f.json');
  const value = `CASE WHEN ${fitsType(document, rowType, mode)} THEN struct_pack(v := ${fromJson(document, rowType, { mode })}) END`;
  const fileColumns = plan.fileColumns.filter(({ field }) => isNeeded(field));
  const triedRows = (run: FileRun): string => {
    const file = needsFileName(fileColumns) ? `, f.${quoteIdentifier(FILE_NAME_COLUMN)}` : '';
    return `(SELECT TRY(${value}) AS r${file} FROM ${objectsOf(plan, run, fileColumns)}) AS f WHERE f.r IS NOT NULL`;
  };
  const runs = runsOfFiles(plan);
  if (rowType.kind !== 'RecordType' || rowType.isNullable)
    return { kind: 'value', relations: runs.map((run) => ({ from: triedRows(run), expression: 'f.r.v' })) };
  const own = memberParts(SQL`f.r.v`, rowType.fields).flatMap(({ field, expression }) =>
    isNeeded(field) ? [{ field, expression: sqlText(expression) }] : [],
  );
  return {
    kind: 'columns',
    relations: runs.map((run) => ({ from: triedRows(run), columns: [...own, ...fileParts(plan, run, fileColumns)] })),
  };
}

function fileParts(plan: JsonReadPlan, run: FileRun, fileColumns: readonly FileColumn[]): readonly ReadPart[] {
  return fileColumns.map((column) => ({
    field: column.field,
    expression: fileColumnSql({ ...plan, files: run.files }, ofRun(column, run)),
  }));
}

/** SQL of the value of a document `f.json`, or of one of its fields. */
export function jsonMember(rowType: Type, name: string | null, mode: JsonMode): string {
  const field = rowType.kind === 'RecordType' ? rowType.fields.find((candidate) => candidate.name === name) : undefined;
  return field === undefined
    ? fromJson(nullIfNull('f.json'), rowType, { mode })
    : memberFromJson('f.json', field, { mode, path: name ?? '' });
}

/** The documents of one file, a relation `f` with a column `json`, in order. */
export function documentsOf(plan: JsonReadPlan, i: number): string {
  return objectsOf(plan, { layout: plan.layouts[i] ?? 'unstructured', first: i, files: plan.files.slice(i, i + 1) });
}

interface FileRun {
  readonly layout: JsonFileLayout;
  readonly first: number;
  readonly files: readonly ReadFile[];
}

function runsOfFiles({ files, layouts }: JsonReadPlan): readonly FileRun[] {
  const runs: FileRun[] = [];
  files.forEach((file, i) => {
    const layout = layouts[i] ?? 'unstructured';
    const last = runs.at(-1);
    if (last?.layout === layout) runs[runs.length - 1] = { ...last, files: [...last.files, file] };
    else runs.push({ layout, first: i, files: [file] });
  });
  return runs;
}

function ofRun(column: FileColumn, run: FileRun): FileColumn {
  return { ...column, values: column.values.slice(run.first, run.first + run.files.length) };
}

function options(plan: JsonReadPlan, run: FileRun, fileColumns: readonly FileColumn[]): readonly string[] {
  return [
    fileList(run.files),
    `format='${run.layout}'`,
    `maximum_object_size=${plan.maxObjectBytes}`,
    ...(plan.compression === null ? [] : [`compression='${plan.compression}'`]),
    ...(needsFileName(fileColumns) ? [FILE_NAME_OPTION] : []),
  ];
}

function objectsOf(plan: JsonReadPlan, run: FileRun, fileColumns: readonly FileColumn[] = []): string {
  const isForgiving = plan.onError !== 'fail' && run.layout === 'newline_delimited';
  return `read_json_objects(${[...options(plan, run, fileColumns), ...(isForgiving ? ['ignore_errors=true'] : [])].join(', ')}) AS f`;
}
