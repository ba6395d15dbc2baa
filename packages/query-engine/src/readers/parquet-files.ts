import { FILE_NAME_OPTION, fileList } from './file-columns.ts';
import type { ReadFile } from './read-plan.ts';

/**
 * SQL of a reader of the files' own columns, optionally with each row's path. Statistics exclude NaN (as the format
 * specifies): without `can_have_nan` the engine concludes from a maximum of 1 that no value is greater, but NaN is.
 */
export function parquetFiles(files: readonly ReadFile[], wantsPath = false): string {
  return `read_parquet(${fileList(files)}, can_have_nan=true, hive_partitioning=false${wantsPath ? `, ${FILE_NAME_OPTION}` : ''})`;
}
