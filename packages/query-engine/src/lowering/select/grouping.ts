import type { Aggregate, Plan, Select, SortKey, VariableId } from '@svc/query-language';
import { isSamePlan, mapChildren } from '@svc/query-language';

import type { Binding, LoweringContext, Scope } from '../lowering-context.ts';
import { freshName } from '../lowering-context.ts';
import { lowerValue } from '../lower-value.ts';
import { aggregateSql, isOrdered } from './aggregates.ts';
import type { From } from './from.ts';
import { carry, scopeOf } from './from.ts';
import type { Rows } from './lower-select.ts';
import { sortKey } from './lower-select.ts';

/** Whether a group's rows are kept in their order by an aggregate of the Select. */
export function keepsRowsOfGroups(plan: Select): boolean {
  return ownAggregates(plan).some(isOrdered);
}

/** The rows of a grouped Select: one per group, with its keys and aggregates as columns. */
export function lowerGroups(context: LoweringContext, plan: Select, filtered: { readonly from: From; readonly where: string | null }, scope: Scope): Rows {
  const aggregates = ownAggregates(plan);
  const { from, where, rowNumber } = aggregates.some(isOrdered) ? numberRows(context, filtered) : { ...filtered, rowNumber: null };
  const inside = scopeOf(scope, from);
  const keys = (plan.grouping?.keys ?? []).map((key) => ({ id: key.id, name: freshName(context, 'g'), sql: lowerValue(context, key.value, inside) }));
  const values = aggregates.map((aggregate) => ({ aggregate, id: -context.nextName, name: freshName(context, 'a'), sql: aggregateSql(context, aggregate, inside, rowNumber) }));
  const items = [...keys, ...values].map(({ sql, name }) => `${sql} AS ${name}`);
  const groupBy = keys.length === 0 ? '' : ` GROUP BY ${keys.map((_, i) => i + 1).join(', ')}`;
  const alias = freshName(context, 'q');
  const sql = `(SELECT ${items.length === 0 ? 'count(*) AS a0' : items.join(', ')} FROM ${from.sql}${where === null ? '' : ` WHERE ${where}`}${groupBy}) AS ${alias}`;
  const bindings = new Map<VariableId, Binding>([...keys, ...values].map(({ id, name }) => [id, { kind: 'sql', sql: `${alias}.${name}` }]));
  const replace = (part: Plan): Plan => replaceAggregates(part, (aggregate) => values.find((value) => isSameAggregate(value.aggregate, aggregate))?.id);
  const groups: From = { sql, bindings, isJoin: false };
  const having = plan.having === null ? null : replace(plan.having);
  const orderBy = plan.orderBy.map((key): SortKey => ({ ...key, value: replace(key.value) }));
  const item = replace(plan.item);
  const defaultOrder = plan.order === 'sorted' ? keys.map(({ name }) => sortKey(`${alias}.${name}`, { isDescending: false, areNullsFirst: true })) : [];
  if (!plan.isSingle) return { from: groups, where: having === null ? null : lowerValue(context, having, scopeOf(scope, groups)), item, orderBy, defaultOrder };
  return { from: groups, where: null, item: having === null ? item : onlyIf(having, item, plan), orderBy: [], defaultOrder: [] };
}

/** The one value of an aggregate query is NULL where HAVING does not hold. */
function onlyIf(having: Plan, item: Plan, plan: Select): Plan {
  return { kind: 'Case', type: plan.type, span: plan.span, branches: [{ when: having, then: item }], otherwise: { kind: 'Constant', type: plan.type, span: plan.span, value: null } };
}

/** Numbers the rows in source order; that costs the scan its parallelism and is done only for groups whose rows are kept. */
function numberRows(context: LoweringContext, filtered: { readonly from: From; readonly where: string | null }): { readonly from: From; readonly where: null; readonly rowNumber: string } {
  const carried = carry(context, filtered.from);
  const [alias, number] = [freshName(context, 'f'), freshName(context, 'n')];
  const items = [...carried.items, `row_number() OVER () AS ${number}`];
  const sql = `(SELECT ${items.join(', ')} FROM ${filtered.from.sql}${filtered.where === null ? '' : ` WHERE ${filtered.where}`}) AS ${alias}`;
  return { from: { sql, bindings: carried.rebind(alias), isJoin: false }, where: null, rowNumber: `${alias}.${number}` };
}

/** The aggregates over a Select's own rows, each once. */
function ownAggregates(plan: Select): readonly Aggregate[] {
  const found: Aggregate[] = [];
  const collect = (part: Plan): Plan => replaceAggregates(part, (aggregate) => {
    if (!found.some((other) => isSameAggregate(other, aggregate))) found.push(aggregate);
    return undefined;
  });
  for (const part of [plan.item, ...(plan.having === null ? [] : [plan.having]), ...plan.orderBy.map((key) => key.value)]) collect(part);
  return found;
}

/** Two aggregates that are computed once; of one type, since COLLECT of equal rows may differ in what is nullable. */
function isSameAggregate(a: Aggregate, b: Aggregate): boolean {
  return a === b || isSamePlan(a, b);
}

/** Puts variables in place of a Select's own aggregates: those in the items of an inner Select are its own. */
function replaceAggregates(plan: Plan, idOf: (aggregate: Aggregate) => VariableId | undefined): Plan {
  if (plan.kind === 'Aggregate') {
    const id = idOf(plan);
    return id === undefined ? plan : { kind: 'Variable', type: plan.type, span: plan.span, id };
  }
  if (plan.kind !== 'Select') return mapChildren(plan, (child) => replaceAggregates(child, idOf));
  const bound = (limit: Plan | null): Plan | null => (limit === null ? null : replaceAggregates(limit, idOf));
  return {
    ...plan, limit: bound(plan.limit), offset: bound(plan.offset),
    sources: plan.sources.map((source) => ({ ...source, collection: replaceAggregates(source.collection, idOf) })),
  };
}
