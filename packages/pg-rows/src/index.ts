export { conditionSql, conditionsSql } from './condition-sql.ts';
export { copyRows, countRows, type CopyRows } from './copy-rows.ts';
export { INTERVAL_CELL } from './interval-cell.ts';
export { longestRow } from './longest-row.ts';
export type { FieldCondition, ScanCondition, ScanConstant, ScanOperator } from './scan-condition.ts';
export type { ScanNeeds, ScanOrder, ScanTop } from './row-needs.ts';
export { orderSql } from './order-sql.ts';
export { scanNeeds, type ScannedSource } from './scan-needs.ts';
