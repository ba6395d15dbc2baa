import type { Plan, PlanSource } from '@svc/query-language';
import { isFallible } from '@svc/query-language';

import { conjuncts } from '../../analysis/conjuncts.ts';
import { isJoinKey, leadingKeys, sideOf, type JoinSides } from '../../analysis/join-key.ts';
import { holdsSubquery } from '../../analysis/relational-analysis.ts';
import { select, subquery } from '../../sql/select.ts';
import { columnRef, joinSql, SQL, type Sql } from '../../sql/sql.ts';
import { createHoistedColumns } from '../hoisted-columns.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { freshColumn } from '../lowering-context.ts';
import { numberedTable } from '../row-table.ts';
import type { SortColumn } from '../scalars/sort-key.ts';
import type { Scope } from '../scope.ts';
import { keepWhere, type Rows } from './rows.ts';

/** The conditions of an outer join that is made of its matches. */
interface SplitConditions {
  /** By these the engine joins. */
  readonly native: readonly Plan[];
  readonly others: readonly Plan[];
}

/**
 * Splits the conditions of LEFT or RIGHT JOIN into those by which the engine joins and others, such as `a.x = b.x OR b.x IS NULL`
 * and those that can fail. Null without either: by the others, the engine compares all pairs of rows in an outer join.
 */
function splitOuterJoin(conditions: readonly Plan[], join: PlanSource['join'], sides: JoinSides, scope: Scope): SplitConditions | null {
  if (join !== 'left' && join !== 'right') return null;
  const filled = join === 'left' ? 'right' : 'left';
  const keys = leadingKeys(conditions, sides).length;
  const isNative = (part: Plan, i: number): boolean => {
    if (holdsSubquery(part, scope)) return false;
    if (isFallible(part)) return i < keys;
    const isOfTwo = part.kind === 'Comparison' && sideOf(part.left, sides) !== 'both' && sideOf(part.right, sides) !== 'both';
    return sideOf(part, sides) === filled || isOfTwo;
  };
  const [native, others] = [conditions.filter(isNative), conditions.filter((part, i) => !isNative(part, i))];
  return others.length > 0 && native.some((part) => isJoinKey(part, sides)) ? { native, others } : null;
}

/** Both sides of an outer join, and its condition. */
export interface OuterJoin {
  readonly left: Sql;
  readonly right: Sql;
  readonly on: Sql;
}

interface MatchedJoin extends OuterJoin {
  /** The order of the kept rows. */
  readonly keys: readonly SortColumn[];
}

/**
 * Builds LEFT or RIGHT JOIN from the matches of an inner join, which the other conditions filter: the kept rows are a table, and are
 * joined to their matches by their numbers. Null if the conditions do not allow it.
 */
export function joinMatches(
  context: LoweringContext,
  left: Rows,
  right: Rows,
  source: PlanSource,
  sides: JoinSides,
  scope: Scope,
): MatchedJoin | null {
  const split = source.on === null ? null : splitOuterJoin(conjuncts(source.on), source.join, sides, scope);
  if (split === null) return null;
  const hoisted = createHoistedColumns(context);
  const on = split.native.map((condition) => context.lowerValue(condition, { ...scope, hoisted, lambda: new Set() }));
  if (hoisted.columns.length > 0) return null;
  const [kept, filled] = source.join === 'left' ? [left, right] : [right, left];
  const { rows: numbered, name: table, number } = numberedTable(context, kept);
  const matched = freshColumn(context, 'k');
  const pairs = subquery(select({ takesAll: true, from: SQL`${table} JOIN ${filled.from} ON ${joinSql(on, ' AND ')}` }));
  const both = { from: pairs, columns: new Set([...numbered.columns, ...filled.columns]), scope, keys: [] };
  const items = [...[...filled.columns].map(columnRef), SQL`${number} AS ${matched}`];
  const found = subquery(select({ items, from: keepWhere(context, both, split.others, true).from }));
  const sidesSql = source.join === 'left' ? { left: table, right: found } : { left: found, right: table };
  return { ...sidesSql, on: SQL`${number} = ${matched}`, keys: numbered.keys };
}
