import type { Aggregate, Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { canFail } from '../can-fail.ts';
import type { LoweringContext, Scope } from '../lowering-context.ts';
import { callContext } from '../lowering-context.ts';
import { lowerValue } from '../lower-value.ts';
import { LoweringUnsupported } from '../lowering-unsupported.ts';
import { divideDecimals } from '../scalars/decimal-arithmetic.ts';
import { sortKey } from './lower-select.ts';

/** Aggregates that are one function of the engine with the same meaning. */
const PLAIN: Readonly<Record<string, string>> = {
  MIN: 'min', MAX: 'max', STDDEV: 'stddev_samp', VARIANCE: 'var_samp', MEDIAN: 'median', BOOL_AND: 'bool_and', BOOL_OR: 'bool_or',
  ARG_MIN: 'arg_min', ARG_MAX: 'arg_max', APPROX_COUNT_DISTINCT: 'approx_count_distinct',
};

const ORDERED = new Set(['COLLECT', 'STRING_AGG', 'FIRST', 'LAST']);

/** Whether the aggregate's value depends on the order of the rows. */
export function isOrdered(aggregate: Aggregate): boolean {
  return ORDERED.has(aggregate.function);
}

/** An aggregate over rows. `rowNumber` is there for those that depend on the order of the source. */
export function aggregateSql(context: LoweringContext, plan: Aggregate, scope: Scope, rowNumber: string | null): string {
  const condition = plan.filter === null ? null : lowerValue(context, plan.filter, scope);
  const args = plan.arguments.map((argument) => {
    const sql = lowerValue(context, argument, scope);
    return condition !== null && canFail(argument) ? `CASE WHEN ${condition} THEN ${sql} END` : sql;
  });
  const filter = (extra: string | null = null): string => {
    const conditions = [condition, extra].filter((part) => part !== null);
    return conditions.length === 0 ? '' : ` FILTER (WHERE ${conditions.join(' AND ')})`;
  };
  const [first = '*', second = 'NULL'] = args;
  const distinct = plan.isDistinct ? 'DISTINCT ' : '';
  const keys = [...plan.orderBy.map((key) => sortKey(lowerValue(context, key.value, scope), key)), ...(rowNumber === null ? [] : [rowNumber])];
  const order = keys.length === 0 ? '' : ` ORDER BY ${keys.join(', ')}`;
  const plain = PLAIN[plan.function];
  if (plain !== undefined) return `${plain}(${distinct}${args.join(', ')})${filter()}`;
  switch (plan.function) {
    case 'COUNT': return `count(${distinct}${first})${filter()}`;
    case 'COUNT_DISTINCT': return `count(DISTINCT ${first})${filter()}`;
    case 'SUM': return sumOf(plan.type, `sum(${distinct}${first})${filter()}`);
    case 'AVG': return isDecimal(plan.type) ? decimalMean(context, plan, `${distinct}${first}`, filter()) : `avg(${distinct}${first})${filter()}`;
    case 'COLLECT': return `coalesce(${collect(plan, first, { filter: filter(), order, rowNumber })}, [])`;
    case 'STRING_AGG': return `array_to_string(${collect(plan, first, { filter: filter(`${first} IS NOT NULL`), order, rowNumber })}, any_value(${second}))`;
    case 'FIRST': return plan.orderBy.length === 0 ? `arg_min(${first}, ${rowNumber ?? '0'})${filter()}` : `first(${first}${order})${filter(`${first} IS NOT NULL`)}`;
    case 'LAST': return plan.orderBy.length === 0 ? `arg_max(${first}, ${rowNumber ?? '0'})${filter()}` : `last(${first}${order})${filter(`${first} IS NOT NULL`)}`;
    default: throw new LoweringUnsupported(plan.function, plan.span);
  }
}

/** The values as a list: sorted by the row number after grouping, which is cheaper than an ordered aggregate with many groups. */
function collect(plan: Aggregate, value: string, at: { readonly filter: string; readonly order: string; readonly rowNumber: string | null }): string {
  if (plan.isDistinct) return `list_sort(list(DISTINCT ${value})${at.filter}, 'ASC', 'NULLS FIRST')`;
  if (plan.orderBy.length > 0 || at.rowNumber === null) return `list(${value}${at.order})${at.filter}`;
  return `list_transform(list_sort(list(struct_pack(n := ${at.rowNumber}, v := ${value}))${at.filter}), lambda z: z.v)`;
}

/** A sum in the type of the result: of integers a long, and an overflow is an error. */
export function sumOf(type: Type, sum: string): string {
  return `CAST(${sum} AS ${duckType(type)})`;
}

/** Whether a type is decimal, nullable or not. */
export function isDecimal(type: Type): boolean {
  return type.kind === 'PrimitiveType' && type.name === 'decimal';
}

/** The exact mean of decimals: the engine would give a double. */
function decimalMean(context: LoweringContext, plan: Aggregate, value: string, filter: string): string {
  const call = callContext(context, plan, { functionName: 'AVG', overload: '' });
  const count = `CAST(nullif(count(${value})${filter}, 0) AS DECIMAL(38,0))`;
  return divideDecimals({ sql: `CAST(sum(${value})${filter} AS DECIMAL(38,18))`, scale: 18 }, { sql: count, scale: 0 },
    { overflow: call.raise('decimal overflow', plan.type), byZero: call.raise('/ by zero', plan.type) });
}
