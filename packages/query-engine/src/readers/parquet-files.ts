import { FILE_NAME_OPTION, fileList } from './file-columns.ts';
import type { ReadFile } from './read-plan.ts';

/** SQL of a reader of the files' own columns, and of each row's path where it is wanted. */
export function parquetFiles(files: readonly ReadFile[], wantsPath = false): string {
  return `read_parquet(${fileList(files)}, hive_partitioning=false${wantsPath ? `, ${FILE_NAME_OPTION}` : ''})`;
}
