import { FILE_NAME_OPTION, fileList } from './file-columns.ts';
import type { ReadFile } from './read-plan.ts';

/**
 * SQL of a reader of the files' own columns, and of each row's path where it is wanted. Statistics of a file leave NaN out (as the format
 * has it): without `can_have_nan` the engine takes a maximum of 1 for proof that no value is greater, and NaN is.
 */
export function parquetFiles(files: readonly ReadFile[], wantsPath = false): string {
  return `read_parquet(${fileList(files)}, can_have_nan=true, hive_partitioning=false${wantsPath ? `, ${FILE_NAME_OPTION}` : ''})`;
}
