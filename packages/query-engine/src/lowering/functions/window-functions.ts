import { duckType } from '../../representation/duck-type.ts';
import type { CallContext } from '../lowering-types.ts';
import { AGGREGATE_LOWERINGS, type AggregateInput, type AggregateLowering } from './aggregate-functions.ts';

/** A function of the engine that means the same. */
function same(name: string): AggregateLowering {
  return (input) => input.over(`${name}(${input.args.map((arg) => arg.sql).join(', ')})`);
}

/** LAG and LEAD: an absent number of rows is 1. */
function neighbour(name: 'lag' | 'lead'): AggregateLowering {
  return ({ args, over }) => {
    const [value, rows, fallback] = args.map((arg) => arg.sql);
    const count = rows === undefined || args[1]?.constant === null ? '1' : rows;
    return over(`${name}(${[value, count, ...(fallback === undefined ? [] : [fallback])].join(', ')})`);
  };
}

function ntile({ args, over }: AggregateInput, call: CallContext): string {
  const buckets = args[0]?.sql ?? '1';
  const type = args[0]?.type ?? call.type;
  return over(`ntile(CASE WHEN ${buckets} > 0 THEN ${buckets} ELSE ${call.raise('NTILE needs at least one bucket', type)} END)`);
}

/** In the order of the window, which is the only one there is. */
const text: AggregateLowering = ({ args, over }) => {
  const [value, separator] = args.map((arg) => arg.sql);
  return over(`string_agg(${value ?? 'NULL'}, ${separator ?? "','"})`);
};

/** How each function with OVER is said in SQL, by its upper-case name: the aggregates too. */
export const WINDOW_LOWERINGS: Readonly<Record<string, AggregateLowering>> = {
  ...AGGREGATE_LOWERINGS,
  ROW_NUMBER: same('row_number'), RANK: same('rank'), DENSE_RANK: same('dense_rank'), NTILE: ntile,
  LAG: neighbour('lag'), LEAD: neighbour('lead'), FIRST_VALUE: same('first_value'), LAST_VALUE: same('last_value'),
  COLLECT: ({ args, isDistinct, over }, call) => `CAST(${over(`list(${isDistinct ? 'DISTINCT ' : ''}${args[0]?.sql ?? 'NULL'})`)} AS ${duckType(call.type)})`,
  STRING_AGG: text,
  FIRST: ({ args, over }) => over(`first_value(${args[0]?.sql ?? 'NULL'} IGNORE NULLS)`),
  LAST: ({ args, over }) => over(`last_value(${args[0]?.sql ?? 'NULL'} IGNORE NULLS)`),
};
