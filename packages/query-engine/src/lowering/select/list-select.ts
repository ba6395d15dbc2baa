import type { Aggregate, Plan, PlanSource, Select } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import type { LoweringContext, Scope } from '../lowering-context.ts';
import { freshName } from '../lowering-context.ts';
import { constantOf, holdsSubquery, lowerValue } from '../lower-value.ts';
import { usesAny } from '../variables.ts';
import { isDecimal, sumOf } from './aggregates.ts';

/** Thrown where list functions cannot say a nested query; a sub-query then does. */
export class NoListForm extends Error {}

/** A nested query over collections of the row around it, in list functions: far cheaper than a sub-query for short collections. */
export function listSelect(context: LoweringContext, plan: Plan, scope: Scope): string {
  if (plan.kind === 'SetOperation') return listUnion(context, plan, scope);
  if (plan.kind !== 'Select') throw new NoListForm();
  if (plan.grouping !== null && plan.grouping.keys.length > 0) throw new NoListForm();
  if (plan.isSingle && plan.having !== null) throw new NoListForm();
  const [source, ...others] = plan.sources;
  if (source === undefined || source.position !== null || source.isOptional) throw new NoListForm();
  if (plan.isSingle) return others.length > 0 ? fail() : aggregated(context, plan, source, scope);
  const list = others.length > 0 ? crossed(context, plan, scope) : mapped(context, plan, source, scope);
  return bounded(plan, plan.isDistinct ? `list_sort(${distinct(plan, list)}, 'ASC', 'NULLS FIRST')` : list);
}

function fail(): never {
  throw new NoListForm();
}

function listUnion(context: LoweringContext, plan: Plan & { readonly kind: 'SetOperation' }, scope: Scope): string {
  if (plan.operator !== 'union-all') throw new NoListForm();
  return `list_concat(${plan.operands.map((operand) => lowerValue(context, operand, scope)).join(', ')})`;
}

/** The distinct elements; the engine's function would drop NULL. */
function distinct(plan: Select, list: string): string {
  if (plan.item.type.kind !== 'ErrorType' && plan.item.type.isNullable) throw new NoListForm();
  return `list_distinct(${list})`;
}

/** Elements that WHERE keeps. NULL counts as no elements. */
function filtered(context: LoweringContext, plan: Select, source: PlanSource, scope: Scope): string {
  const list = `coalesce(${lowerValue(context, source.collection, scope)}, [])`;
  const from = source.collection.type.isNullable ? list : lowerValue(context, source.collection, scope);
  if (plan.where === null) return from;
  return `list_filter(${from}, ${lambda(context, source, scope, plan.where)})`;
}

/** `lambda x: body` with x as the source's row. */
function lambda(context: LoweringContext, source: PlanSource, scope: Scope, body: Plan): string {
  const name = freshName(context, 'x');
  return `lambda ${name}: ${inLambda(context, body, new Map(scope).set(source.row, { kind: 'sql', sql: name }))}`;
}

/** SQL that can stand in a lambda. */
function inLambda(context: LoweringContext, body: Plan, scope: Scope): string {
  const sql = lowerValue(context, body, scope);
  return holdsSubquery(sql) ? fail() : sql;
}

function mapped(context: LoweringContext, plan: Select, source: PlanSource, scope: Scope): string {
  const list = filtered(context, plan, source, scope);
  if (plan.orderBy.length === 0) {
    const isItself = plan.item.kind === 'Variable' && plan.item.id === source.row;
    return isItself ? list : `list_transform(${list}, ${lambda(context, source, scope, plan.item)})`;
  }
  return sorted(context, plan, source, scope, list);
}

/** Decorate, sort, undecorate: by the engine's sort key, with the position last so that ties keep their order. */
function sorted(context: LoweringContext, plan: Select, source: PlanSource, scope: Scope, list: string): string {
  if (plan.isDistinct) throw new NoListForm();
  const [element, index, sortedElement] = [freshName(context, 'x'), freshName(context, 'i'), freshName(context, 'z')];
  const inside = new Map(scope).set(source.row, { kind: 'sql', sql: element });
  const item = inLambda(context, plan.item, inside);
  const withItem = new Map(inside).set(plan.itemVariable, { kind: 'sql', sql: item });
  const keys = plan.orderBy.map((key) => `${inLambda(context, key.value, withItem)}, '${key.isDescending ? 'DESC' : 'ASC'} ${key.areNullsFirst ? 'NULLS FIRST' : 'NULLS LAST'}'`);
  const decorated = `list_transform(${list}, lambda ${element}, ${index}: struct_pack(k := create_sort_key(${keys.join(', ')}), i := ${index}, v := ${item}))`;
  return `list_transform(list_sort(${decorated}), lambda ${sortedElement}: ${sortedElement}.v)`;
}

/** Several collections of the row: each element of the first with each of the next. */
function crossed(context: LoweringContext, plan: Select, scope: Scope): string {
  if (plan.orderBy.length > 0 || plan.sources.some((source) => source.position !== null || source.isOptional || (source.join !== 'cross' && source.join !== 'inner'))) throw new NoListForm();
  const level = (index: number, at: Scope): string => {
    const source = plan.sources[index];
    if (source === undefined) throw new NoListForm();
    const isLast = index === plan.sources.length - 1;
    const conditions = [source.on, isLast ? plan.where : null].filter((condition) => condition !== null);
    const [name, kept] = [freshName(context, 'x'), freshName(context, 'y')];
    const list = `coalesce(${lowerValue(context, source.collection, at)}, [])`;
    if (index > 0 && holdsSubquery(list)) throw new NoListForm();
    const keeping = new Map(at).set(source.row, { kind: 'sql', sql: kept });
    const from = conditions.length === 0 ? list
      : `list_filter(${list}, lambda ${kept}: ${conditions.map((condition) => `coalesce(${inLambda(context, condition, keeping)}, FALSE)`).join(' AND ')})`;
    const inside = new Map(at).set(source.row, { kind: 'sql', sql: name } as const);
    if (isLast) return `list_transform(${from}, lambda ${name}: ${inLambda(context, plan.item, inside)})`;
    return `flatten(list_transform(${from}, lambda ${name}: ${level(index + 1, inside)}))`;
  };
  return level(0, scope);
}

/** OFFSET and LIMIT as a slice; only constants, since a negative one has to fail. */
function bounded(plan: Select, list: string): string {
  if (plan.limit === null && plan.offset === null) return list;
  const value = (bound: Plan | null): number | null => {
    if (bound === null) return null;
    const constant = constantOf(bound);
    if (constant === null) return null;
    return typeof constant === 'string' && Number(constant) >= 0 ? Number(constant) : fail();
  };
  const [limit, offset] = [value(plan.limit), value(plan.offset) ?? 0];
  return limit === null ? `list_slice(${list}, ${offset + 1}, NULL)` : limit === 0 ? `list_slice(${list}, 1, 0)` : `list_slice(${list}, ${offset + 1}, ${offset + limit})`;
}

const OVER_LIST: Readonly<Record<string, string>> = {
  MIN: 'min', MAX: 'max', STDDEV: 'stddev_samp', VARIANCE: 'var_samp', MEDIAN: 'median', BOOL_AND: 'bool_and', BOOL_OR: 'bool_or',
};

/** An aggregate query: its item over aggregates of lists. */
function aggregated(context: LoweringContext, plan: Select, source: PlanSource, scope: Scope): string {
  const list = filtered(context, plan, source, scope);
  const values = new Map<number, string>();
  const replace = (part: Plan): Plan => {
    if (part.kind === 'Aggregate') {
      const id = -1 - values.size - context.nextName * 1000;
      values.set(id, overList(context, part, { source, list, scope }));
      return { kind: 'Variable', type: part.type, span: part.span, id };
    }
    if (part.kind === 'Select') return usesAny(part, new Set([source.row])) ? fail() : part;
    return mapChildren(part, replace);
  };
  const item = replace(plan.item);
  const inside = new Map(scope);
  for (const [id, sql] of values) inside.set(id, { kind: 'sql', sql });
  return lowerValue(context, item, inside);
}

function overList(context: LoweringContext, plan: Aggregate, at: { readonly source: PlanSource; readonly list: string; readonly scope: Scope }): string {
  if (plan.orderBy.length > 0) throw new NoListForm();
  const list = plan.filter === null ? at.list : `list_filter(${at.list}, ${lambda(context, at.source, at.scope, plan.filter)})`;
  const [argument, second] = plan.arguments;
  if (argument === undefined) return `len(${list})`;
  const isElement = argument.kind === 'Variable' && argument.id === at.source.row;
  const all = isElement ? list : `list_transform(${list}, ${lambda(context, at.source, at.scope, argument)})`;
  const values = plan.isDistinct ? `list_distinct(${all})` : all;
  const plain = OVER_LIST[plan.function];
  if (plain !== undefined) return `list_aggregate(${values}, '${plain}')`;
  switch (plan.function) {
    case 'COUNT': return `list_count(${values})`;
    case 'COUNT_DISTINCT': return `len(list_distinct(${values}))`;
    case 'SUM': return sumOf(plan.type, `list_aggregate(${values}, 'sum')`);
    case 'AVG': return isDecimal(plan.type) ? fail() : `list_aggregate(${values}, 'avg')`;
    case 'COLLECT': return plan.isDistinct ? fail() : `CAST(${values} AS ${duckType(plan.type)})`;
    case 'STRING_AGG': {
      const separator = second === undefined ? undefined : constantOf(second);
      if (second === undefined || typeof separator !== 'string') throw new NoListForm();
      return `nullif(array_to_string(${values}, ${lowerValue(context, second, at.scope)}), CASE WHEN list_count(${values}) = 0 THEN '' END)`;
    }
    case 'FIRST': return `list_extract(list_filter(${values}, lambda f: f IS NOT NULL), 1)`;
    case 'LAST': return `list_extract(list_filter(${values}, lambda f: f IS NOT NULL), -1)`;
    default: throw new NoListForm();
  }
}

