import { assertNever } from '@svc/query-language';

import type { FieldCondition, ScanCondition } from './scan-condition.ts';

/** SQL of conditions; null if none is left. */
export interface ConditionsSql {
  readonly sql: string | null;
  /** False if a row that does not meet all conditions may meet the SQL. */
  readonly isExact: boolean;
}

/** Prints conditions that are all met. `sqlOf` may leave one out by returning null. */
export function conditionsSql(conditions: readonly ScanCondition[], sqlOf: (condition: FieldCondition) => string | null): ConditionsSql {
  const printed = conditions.map((condition): ConditionsSql => {
    if (condition.kind === 'any') return anySql(condition.alternatives.map((alternative) => conditionsSql(alternative, sqlOf)));
    const sql = sqlOf(condition);
    return { sql, isExact: sql !== null };
  });
  const parts = printed.flatMap(({ sql }) => sql ?? []);
  return { sql: parts.length === 0 ? null : parts.join(' AND '), isExact: printed.every(({ isExact }) => isExact) };
}

function anySql(alternatives: readonly ConditionsSql[]): ConditionsSql {
  const parts = alternatives.flatMap(({ sql }) => (sql === null ? [] : [`(${sql})`]));
  if (parts.length < alternatives.length) return { sql: null, isExact: false };
  return { sql: `(${parts.join(' OR ')})`, isExact: alternatives.every(({ isExact }) => isExact) };
}

/** Prints a condition on a column, whose SQL is given. */
export function conditionSql(condition: FieldCondition, column: string): string {
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
