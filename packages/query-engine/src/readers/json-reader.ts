import type { FieldType } from '@svc/query-language';

import { memberNames } from '../representation/member-names.ts';
import type { RowPart } from '../representation/relation-layout.ts';
import { quoteIdentifier, quoteText } from '../representation/sql-text.ts';
import { EngineFailure } from '../statements/engine-failure.ts';
import { FILE_NAME_OPTION, fileColumnSql, fileList, needsFileName } from './file-columns.ts';
import { fromJson, jsonReading, nullIfNull } from './json-reading.ts';
import type { FileColumn, JsonFileLayout, JsonReadPlan, ReadFile } from './read-plan.ts';

export type JsonRelations =
  | { readonly kind: 'columns'; readonly relations: readonly { readonly from: string; readonly columns: readonly RowPart[] }[] }
  | { readonly kind: 'value'; readonly relations: readonly { readonly from: string; readonly expression: string }[] };

/** One relation per run of files that are laid out alike. Records are read by column, anything else as JSON. */
export function jsonRelations(plan: JsonReadPlan, isNeeded: (field: FieldType) => boolean): JsonRelations {
  if (plan.onError === 'skip') throw new EngineFailure('json', 'on_error := "skip" is not available for JSON');
  const runs = runsOfFiles(plan);
  const mode = { isTrusted: plan.isTrusted, isLenient: plan.onError === 'null' };
  const { rowType } = plan;
  if (rowType.kind !== 'RecordType' || rowType.isNullable) {
    const expression = fromJson(nullIfNull('f.json'), rowType, { mode, path: '', depth: 0 });
    return { kind: 'value', relations: runs.map((run) => ({ from: objectsOf(plan, run), expression })) };
  }
  const fields = rowType.fields.filter(isNeeded);
  const fileColumns = plan.fileColumns.filter(({ field }) => isNeeded(field));
  const columnsOf = (run: FileRun, own: readonly RowPart[]): readonly RowPart[] => [
    ...own,
    ...fileColumns.map((column) => ({ field: column.field, expression: fileColumnSql({ ...plan, files: run.files }, ofRun(column, run)) })),
  ];
  const hasExactNames = memberNames(fields).every((name, i) => name === fields[i]?.name);
  if (!hasExactNames || fields.length === 0) {
    const own = fields.map((field) => ({ field, expression: memberFromJson(field, mode) }));
    return { kind: 'columns', relations: runs.map((run) => ({ from: objectsOf(plan, run, fileColumns), columns: columnsOf(run, own) })) };
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
      from: `read_json(${[...options(plan, run, fileColumns), 'auto_detect=false', columns, ...(mode.isLenient ? ['ignore_errors=true'] : [])].join(', ')}) AS f`,
      columns: columnsOf(run, own),
    })),
  };
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
  return `read_json_objects(${options(plan, run, fileColumns).join(', ')}) AS f`;
}

function memberFromJson(field: FieldType, mode: { readonly isTrusted: boolean; readonly isLenient: boolean }): string {
  const pointer = quoteText(`/${field.name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return fromJson(nullIfNull(`json_extract(f.json, ${pointer})`), field.type, { mode, path: field.name, depth: 0 });
}
