export { conditionSql } from './condition-sql.ts';
export { copyRows, type CopyRows } from './copy-rows.ts';
export { INTERVAL_CELL } from './interval-cell.ts';
export { longestRow } from './longest-row.ts';
export { scanNeeds, type ScanCondition, type ScanConstant, type ScanNeeds, type ScanOperator } from './scan-needs.ts';
