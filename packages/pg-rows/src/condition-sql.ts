import { assertNever } from '@svc/query-language';

import type { ScanCondition } from './scan-condition.ts';

/** Prints a condition on a column, whose SQL is given. */
export function conditionSql(condition: ScanCondition, column: string): string {
  switch (condition.kind) {
    case 'compare':
      return `${column} ${condition.operator} ${condition.value}`;
    case 'in':
      return condition.values.length === 0 ? 'false' : `${column} IN (${condition.values.join(', ')})`;
    case 'null':
      return `${column} IS ${condition.isNull ? '' : 'NOT '}NULL`;
    default:
      return assertNever(condition);
  }
}
