export { scanTables, type ScannedTable, type ScanRequest, type TableScans } from './scan/scan-tables.ts';
export { createRows, dropRows } from './table-rows.ts';
export { readIndexes, type IndexProblem, type WantedIndex } from './types/table-indexes.ts';
export { parseTableType, type TableType } from './types/table-type.ts';
export { appendRows, type AppendRequest, type AppendResult } from './append/append-rows.ts';
export type { RowFormat } from './append/row-reader.ts';
export { optimizeRows, vacuumRows, type UpkeepResult } from './upkeep/upkeep.ts';
export { tableColumns, type TableColumns } from './types/table-columns.ts';
