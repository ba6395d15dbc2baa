import { duckType } from '../../representation/duck-type.ts';
import { castTo, joinSql, NOTHING, NULL, numberLiteral, SQL, verbatim, type Sql } from '../../sql/sql.ts';
import type { WindowLowering } from '../lowering-types.ts';
import { AGGREGATE_LOWERINGS } from './aggregate-functions.ts';
import { sortable } from '../scalars/comparable.ts';

/** A function of the engine that means the same. */
function same(name: string): WindowLowering {
  return (args, rows) => SQL`${verbatim(name)}(${rows.distinct}${joinSql(args.map((arg) => arg.sql))})${rows.suffix}`;
}

/** LAG and LEAD: an absent number of rows is 1. */
function neighbour(name: 'lag' | 'lead'): WindowLowering {
  return (args, { suffix, ignoresNulls }) => {
    const [value = NULL, count = numberLiteral(1), ...fallback] = args.map((arg) => arg.sql);
    return SQL`${verbatim(name)}(${joinSql([value, count, ...fallback])}${nullsOf(ignoresNulls)})${suffix}`;
  };
}

function nullsOf(ignoresNulls = false): Sql {
  return ignoresNulls ? SQL` IGNORE NULLS` : NOTHING;
}

const nthValue: WindowLowering = ([value, position], { suffix, ignoresNulls }, call) => {
  if (value === undefined || position === undefined) throw new Error('NTH_VALUE needs a value and a position.');
  const fail = call.raise('NTH_VALUE counts from 1', position.type);
  const checked = SQL`CASE WHEN ${position.sql} > 0 THEN ${position.sql} ELSE ${fail} END`;
  return SQL`nth_value(${value.sql}, ${checked}${nullsOf(ignoresNulls)})${suffix}`;
};

const ntile: WindowLowering = ([buckets], { suffix }, call) => {
  if (buckets === undefined) throw new Error('NTILE needs a number of buckets.');
  return SQL`ntile(CASE WHEN ${buckets.sql} > 0 THEN ${buckets.sql} ELSE ${call.raise('NTILE needs at least one bucket', buckets.type)} END)${suffix}`;
};

/** A histogram, as outside of windows, would be a map of all values for each row of its partition, in memory that the engine does not count. */
const mode: WindowLowering = ([value], rows) => {
  if (value === undefined) throw new Error('MODE needs a value.');
  const key = sortable(value.sql, value.type);
  const count = rows.distinct === NOTHING ? rows.column(SQL`count(${value.sql})${rows.suffixAmongEqual(key)}`) : numberLiteral(1);
  return SQL`arg_min(${value.sql}, struct_pack(n := -${count}, k := ${key}))${rows.suffix}`;
};

/** Lowerings of functions with OVER, by upper-case name, including aggregates. Values are in the window's order. */
export const WINDOW_LOWERINGS: Readonly<Record<string, WindowLowering>> = {
  ...Object.fromEntries(Object.entries(AGGREGATE_LOWERINGS).map(([name, { overRows }]): [string, WindowLowering] => [name, overRows])),
  ROW_NUMBER: same('row_number'),
  RANK: same('rank'),
  DENSE_RANK: same('dense_rank'),
  PERCENT_RANK: same('percent_rank'),
  CUME_DIST: same('cume_dist'),
  NTILE: ntile,
  NTH_VALUE: nthValue,
  LAG: neighbour('lag'),
  LEAD: neighbour('lead'),
  FIRST_VALUE: same('first_value'),
  LAST_VALUE: same('last_value'),
  MODE: mode,
  COLLECT: (args, rows, call) => castTo(same('list')(args, rows, call), duckType(call.type)),
  STRING_AGG: same('string_agg'),
  FIRST: ([value], { suffix }) => SQL`first_value(${value?.sql ?? NULL} IGNORE NULLS)${suffix}`,
  LAST: ([value], { suffix }) => SQL`last_value(${value?.sql ?? NULL} IGNORE NULLS)${suffix}`,
};
