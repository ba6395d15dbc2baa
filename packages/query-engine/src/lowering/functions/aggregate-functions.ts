import type { Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import type { CallContext, LoweredArgument } from '../lowering-types.ts';
import { bindOnce } from '../scalars/bind-once.ts';
import { divideDecimals } from '../scalars/decimal-arithmetic.ts';
import { joinTexts, typeName } from './function-parts.ts';

/** An aggregate over rows, or over the rows of a window. */
export interface AggregateInput {
  /** None of COUNT(*). */
  readonly args: readonly LoweredArgument[];
  readonly isDistinct: boolean;
  /** Keys with their directions by which the values stand, where order matters; empty for the order of the source. */
  readonly orderBy: readonly string[];
  /** A number that grows in the order of the source; null where nobody promised one. */
  readonly rowNumber: string | null;
  /** Completes a call of an engine's aggregate: adds FILTER with a further condition, and OVER in a window. */
  readonly over: (aggregate: string, condition?: string) => string;
}

/** How an aggregate is said in SQL. It is NULL of no values, but for those that count. */
export type AggregateLowering = (input: AggregateInput, call: CallContext) => string;

/** Aggregates whose value depends on the order of the rows. */
export const ORDERED_AGGREGATES: ReadonlySet<string> = new Set(['COLLECT', 'STRING_AGG', 'FIRST', 'LAST']);

/** How each aggregate is said in SQL, by its upper-case name. */
export const AGGREGATE_LOWERINGS: Readonly<Record<string, AggregateLowering>> = {
  COUNT: (input) => (input.args.length === 0 ? input.over('count(*)') : input.over(`count(${inner(input)})`)),
  COUNT_DISTINCT: (input) => input.over(`count(DISTINCT ${first(input)})`),
  APPROX_COUNT_DISTINCT: (input) => input.over(`approx_count_distinct(${first(input)})`),
  SUM: (input, call) => sumAs(call, input.over(`sum(${inner(input)})`)),
  AVG: (input, call) => (typeName(call.type) === 'decimal' ? decimalMean(input, call) : input.over(`avg(${inner(input)})`)),
  MIN: same('min'), MAX: same('max'),
  STDDEV: same('stddev_samp'), VARIANCE: same('var_samp'), MEDIAN: same('median'),
  QUANTILE: quantile,
  MODE: mode,
  BOOL_AND: same('bool_and'), BOOL_OR: same('bool_or'),
  ARG_MIN: same('arg_min'), ARG_MAX: same('arg_max'),
  COLLECT: (input) => `coalesce(${collect(input)}, [])`,
  STRING_AGG: stringAgg,
  FIRST: (input) => (input.orderBy.length === 0 ? input.over(`arg_min(${first(input)}, ${input.rowNumber ?? '0'})`) : input.over(`first(${ordered(input)})`, `${first(input)} IS NOT NULL`)),
  LAST: (input) => (input.orderBy.length === 0 ? input.over(`arg_max(${first(input)}, ${input.rowNumber ?? '0'})`) : input.over(`last(${ordered(input)})`, `${first(input)} IS NOT NULL`)),
};

/** The sum in the type of the result, where it fits: of integers the engine makes 128 bits, of decimals it lets 39 digits pass. */
export function sumAs(call: Pick<CallContext, 'type' | 'castLine'>, sum: string): string {
  const exact = isDecimal(call.type) ? `CAST(${sum} AS VARCHAR)` : sum;
  return call.castLine(`CAST(${exact} AS ${duckType(call.type)})`);
}

function isDecimal(type: Type): boolean {
  return typeName(type) === 'decimal';
}

function first(input: AggregateInput): string {
  return input.args[0]?.sql ?? 'NULL';
}

function inner(input: AggregateInput): string {
  return `${input.isDistinct ? 'DISTINCT ' : ''}${input.args.map((arg) => arg.sql).join(', ')}`;
}

function ordered(input: AggregateInput): string {
  return input.orderBy.length === 0 ? first(input) : `${first(input)} ORDER BY ${input.orderBy.join(', ')}`;
}

/** One function of the engine that means the same. */
function same(name: string): AggregateLowering {
  return (input) => input.over(`${name}(${inner(input)})`);
}

/** The exact mean of decimals: the engine would give a double. */
function decimalMean(input: AggregateInput, call: CallContext): string {
  return divideDecimals(
    { sql: input.over(`sum(${inner(input)})`), scale: 18 },
    { sql: `CAST(nullif(${input.over(`count(${inner(input)})`)}, 0) AS DECIMAL(38,0))`, scale: 0 },
    { overflow: call.raise('decimal overflow', call.type), byZero: call.raise('/ by zero', call.type) });
}

/** The engine wants the fraction as a constant. */
function quantile(input: AggregateInput, call: CallContext): string {
  const fraction = input.args[1]?.constant;
  if (fraction === null) return `CAST(NULL AS ${duckType(call.type)})`;
  const isInRange = typeof fraction === 'string' && Number(fraction) >= 0 && Number(fraction) <= 1;
  if (!isInRange) return call.raise('QUANTILE needs a constant fraction from 0 to 1', call.type);
  const value = `quantile_cont(${input.isDistinct ? 'DISTINCT ' : ''}${first(input)}, ${Number(fraction)})`;
  return `CAST(${input.over(value)} AS ${duckType(call.type)})`;
}

/** The least of the most frequent values: the engine's own takes the one that it met first. */
function mode(input: AggregateInput): string {
  const counts = `list_transform(map_entries(${input.over(`histogram(${first(input)})`)}), lambda mode_1: struct_pack(n := -CAST(mode_1.value AS BIGINT), v := mode_1.key))`;
  return `struct_extract(list_extract(list_sort(${counts}), 1), 'v')`;
}

/** The values as a list: sorted by the row's number after grouping, which with many groups is cheaper than an ordered aggregate. */
function collect(input: AggregateInput, condition?: string): string {
  if (input.isDistinct) return `list_sort(${input.over(`list(DISTINCT ${first(input)})`, condition)}, 'ASC', 'NULLS FIRST')`;
  if (input.orderBy.length > 0 || input.rowNumber === null) return input.over(`list(${ordered(input)})`, condition);
  const numbered = input.over(`list(struct_pack(n := ${input.rowNumber}, v := ${first(input)}))`, condition);
  return `list_transform(list_sort(${numbered}), lambda z: z.v)`;
}

/** NULL of no texts. The separator is a constant, or that of any row. */
function stringAgg(input: AggregateInput): string {
  const separator = input.args[1];
  const texts = collect(input, `${first(input)} IS NOT NULL`);
  if (separator === undefined || typeof separator.constant === 'string') return joinTexts(texts, separator?.sql ?? "','", true);
  return bindOnce([texts, input.over(`any_value(${separator.sql})`)], (list, by) => `CASE WHEN ${by} IS NOT NULL THEN ${joinTexts(list, by, false)} END`);
}
