import { duckType } from '../representation/duck-type.ts';
import { quoteText } from '../representation/sql-text.ts';
import type { FileColumn, ReadFile, ReadPlan } from './read-plan.ts';

/** SQL of a list of the files, for a reader, with wildcards escaped: it interprets paths as patterns. */
export function fileList(files: readonly ReadFile[]): string {
  return `[${files.map((file) => quoteText(file.path.replace(/[*?[]/g, '[$&]'))).join(', ')}]`;
}

/** SQL of a file column's value, by the path that the reader of the relation `f` returns with `FILE_NAME_OPTION`. */
export function fileColumnSql(plan: ReadPlan, { field, values }: FileColumn): string {
  const type = duckType(field.type);
  const literals = values.map((value) => (value === null ? 'NULL' : quoteText(value)));
  const [only] = literals;
  const found =
    literals.length === 1 && only !== undefined
      ? only
      : `list_extract([${literals.join(', ')}], list_position(${pathList(plan.files)}, f."${FILE_NAME_COLUMN}"))`;
  return field.type.kind === 'AnyType' ? `to_json(CAST(${found} AS VARCHAR))` : `CAST(${found} AS ${type})`;
}

function pathList(files: readonly ReadFile[]): string {
  return `[${files.map((file) => quoteText(file.path)).join(', ')}]`;
}

/** Returns whether any of the columns depends on the file of a row. */
export function needsFileName(columns: readonly FileColumn[]): boolean {
  return columns.some((column) => column.values.length > 1);
}

/** Not a possible name of a file's column. */
export const FILE_NAME_COLUMN = 'svc:file';

/** The option of a reader that adds each row's path. */
export const FILE_NAME_OPTION = `filename='${FILE_NAME_COLUMN}'`;
