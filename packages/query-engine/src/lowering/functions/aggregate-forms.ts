import { joinSql, NULL, SQL, textLiteral, verbatim, type Sql } from '../../sql/sql.ts';
import type { AggregateLowering, AggregateRows, LoweredArgument } from '../lowering-types.ts';

/** Lowers an aggregate over rows. */
export type OverRows = AggregateLowering['overRows'];
/** Lowers an aggregate over the elements of a list. */
export type OverList = AggregateLowering['overList'];

/** An aggregate for which any order will do. */
export function unordered(overRows: OverRows, overList: OverList): AggregateLowering {
  return { isOrdered: false, overRows, overList };
}

/** An order-dependent aggregate. */
export function ordered(overRows: OverRows, overList: OverList): AggregateLowering {
  return { isOrdered: true, overRows, overList };
}

/** An aggregate whose values the engine keeps on the heap, where it does not count them: MODE in a map, quantiles in vectors. */
export function uncounted(lowering: AggregateLowering): AggregateLowering {
  return { ...lowering, isUncounted: true };
}

/** An aggregate equivalent to a function of the engine. */
export function same(name: string): AggregateLowering {
  return unordered(plain(name), (list) => SQL`list_aggregate(${list}, ${textLiteral(name)})`);
}

/** A function of the engine over rows. */
function plain(name: string): OverRows {
  return (args, rows) => SQL`${verbatim(name)}(${inner(args, rows)})${rows.suffix}`;
}

/** The SQL of the first argument. */
export function first(args: readonly LoweredArgument[]): Sql {
  return args[0]?.sql ?? NULL;
}

/** Returns the SQL within an aggregate's parentheses. */
export function inner(args: readonly LoweredArgument[], rows: AggregateRows): Sql {
  return SQL`${rows.distinct}${joinSql(args.map((arg) => arg.sql))}`;
}
