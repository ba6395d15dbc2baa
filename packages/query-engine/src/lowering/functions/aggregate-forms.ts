import type { AggregateLowering, AggregateRows, LoweredArgument } from '../lowering-types.ts';

/** How an aggregate is said over rows. */
export type OverRows = AggregateLowering['overRows'];
/** How an aggregate is said over the elements of a list. */
export type OverList = AggregateLowering['overList'];

/** An aggregate for which any order will do. */
export function unordered(overRows: OverRows, overList: OverList): AggregateLowering {
  return { isOrdered: false, overRows, overList };
}

/** An aggregate that sees the rows in their order. */
export function ordered(overRows: OverRows, overList: OverList): AggregateLowering {
  return { isOrdered: true, overRows, overList };
}

/** One function of the engine that means the same. */
export function same(name: string): AggregateLowering {
  return unordered(plain(name), (list) => `list_aggregate(${list}, '${name}')`);
}

/** A function of the engine over rows. */
function plain(name: string): OverRows {
  return (args, rows) => `${name}(${inner(args, rows)})${rows.suffix}`;
}

/** The SQL of the first argument. */
export function first(args: readonly LoweredArgument[]): string {
  return args[0]?.sql ?? 'NULL';
}

/** What stands in the parentheses of an aggregate of the engine. */
export function inner(args: readonly LoweredArgument[], rows: AggregateRows): string {
  return `${rows.distinct}${args.map((arg) => arg.sql).join(', ')}`;
}
