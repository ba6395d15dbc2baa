import type { Plan, Span } from '@svc/query-language';
import { ownValue } from '@svc/query-language';

import { maxCardinality } from '../analysis/cardinality.ts';
import { isRowByRow } from '../analysis/is-row-by-row.ts';
import { somePart } from '../analysis/variables.ts';
import type { RelationLayout } from '../representation/relation-layout.ts';
import { rewritePlan } from '../rewrite/passes.ts';
import { printSql } from '../sql/print-sql.ts';
import { select } from '../sql/select.ts';
import { aliased, castTo, joinSql, SQL, type Sql } from '../sql/sql.ts';
import { AGGREGATE_LOWERINGS } from './functions/aggregate-functions.ts';
import { createHoistedColumns, NO_HOISTED_COLUMNS, withHoistedColumns } from './hoisted-columns.ts';
import { openLet } from './lower-let.ts';
import { lowerRelation } from './lower-relation.ts';
import { lowerDigits } from './lower-digits.ts';
import { lowerValue } from './lower-value.ts';
import type { LoweringContext, LoweringEnvironment, RaisedFailure, Relation } from './lowering-context.ts';
import { createLoweringContext, freshColumn } from './lowering-context.ts';
import { checkPlanLimits } from './plan-limits.ts';
import { named } from './relation.ts';
import type { Scope } from './scope.ts';
import { createScope } from './scope.ts';
import { lowerSelect } from './select/lower-select.ts';
import { UNIT } from './single-row-relation.ts';

/** A plan as a statement of the engine. */
export interface LoweredQuery {
  /** SQL of a relation; of one row, if the value is not a collection. */
  readonly sql: string;
  readonly layout: RelationLayout;
  readonly isCollection: boolean;
  /** Maximum number of rows; Infinity if unknown before the run. */
  readonly maxCardinality: number;
  /** See `isRowByRow`. */
  readonly isRowByRow: boolean;
  /** True if part of the statement uses memory that the engine does not count. */
  readonly isUncounted: boolean;
  /** Names of the plan's parameters, in the order of `$1`, `$2`, …; each is bound as text. */
  readonly parameters: readonly string[];
  /** Message and position of the errors that carry an id. */
  readonly failures: ReadonlyMap<string, RaisedFailure>;
  /** The places of its casts, by their lines in `sql`, from 0. */
  readonly places: ReadonlyMap<number, Span>;
}

/** Lowers a checked plan to SQL. Throws LoweringUnsupported if the plan has no SQL form. */
export function lowerPlan(plan: Plan, environment: LoweringEnvironment): LoweredQuery {
  return lowerPrepared(preparePlan(plan), environment);
}

/** Applies the passes of `rewrite/` to a checked plan. Throws LoweringUnsupported if the plan exceeds a limit. */
export function preparePlan(plan: Plan): Plan {
  checkPlanLimits(plan);
  return rewritePlan(plan);
}

/** Lowers a prepared plan to SQL. Throws LoweringUnsupported if the plan has no SQL form. */
export function lowerPrepared(plan: Plan, environment: LoweringEnvironment): LoweredQuery {
  return lowerWhole(plan, createLoweringContext(environment, plan, { lowerValue, lowerDigits, lowerRelation }));
}

function lowerWhole(plan: Plan, context: LoweringContext): LoweredQuery {
  const { body, scope } = openLets(context, plan);
  const isCollection = body.type.kind === 'CollectionType' && !body.type.isNullable;
  const relation =
    isCollection && body.type.kind === 'CollectionType'
      ? named(context.lowerRelation(body, scope, { keepsOrder: true, isExplicit: false }), body.type.element)
      : named(singleRow(context, body, scope), body.type);
  const given = [...context.tables, ...parameterTable(context)];
  const { text, places } = printSql(given.length === 0 ? relation.sql : SQL`WITH ${joinSql(given)} ${relation.sql}`);
  return {
    sql: text,
    layout: relation.layout,
    isCollection,
    maxCardinality: isCollection ? maxCardinality(body) : 1,
    isRowByRow: isCollection && isRowByRow(body, scope.variables),
    isUncounted: somePart(plan, isUncounted),
    parameters: context.parameters,
    failures: context.failures,
    places,
  };
}

function isUncounted(part: Plan): boolean {
  return (part.kind === 'Aggregate' || part.kind === 'WindowCall') && ownValue(AGGREGATE_LOWERINGS, part.function)?.isUncounted === true;
}

/** A table that uses each parameter: the engine binds those that it finds, also where the SQL holds only the type of a value. */
function parameterTable(context: LoweringContext): readonly Sql[] {
  const values = context.parameters.map((_, i) => castTo(SQL`$${i + 1}`, 'VARCHAR'));
  return values.length === 0 ? [] : [SQL`${freshColumn(context, 'p')} AS (SELECT ${joinSql(values)})`];
}

function openLets(context: LoweringContext, plan: Plan): { readonly body: Plan; readonly scope: Scope } {
  let [body, scope] = [plan, createScope(NO_HOISTED_COLUMNS)];
  while (body.kind === 'Let') {
    const opened = openLet(context, body, scope);
    if (opened === null) throw new Error('a declaration depends on a row');
    [body, scope] = [body.body, opened];
  }
  return { body, scope };
}

function singleRow(context: LoweringContext, plan: Plan, scope: Scope): Relation {
  if (plan.kind === 'Select' && plan.isSingle) return lowerSelect(context, plan, scope, { keepsOrder: false, isExplicit: false });
  const column = freshColumn(context, 'c');
  const hoisted = createHoistedColumns(context);
  const inside: Scope = { ...scope, hoisted };
  const sql = lowerDigits(context, plan, inside);
  return {
    sql: select({ items: [aliased({ name: column, sql })], from: withHoistedColumns(UNIT, hoisted) }),
    layout: { kind: 'value', column: column.name, type: plan.type },
  };
}
