import { select, subquery } from '../../sql/select.ts';
import { SQL, type Sql } from '../../sql/sql.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { freshColumn } from '../lowering-context.ts';

/** Number of rows in a vector of the engine. */
const VECTOR_ROWS = 2048;

/** Number of rows per vector if long values are made for each: the engine neither accounts for a vector in progress nor checks for interrupts. */
const FEW_ROWS = 8;

/**
 * Splits the vectors of a FROM, in order. Each row is repeated until few of them fill a vector, and then all copies but one
 * are dropped; both by unnesting, which passes on the rest of a vector by itself, unlike a filter. About a microsecond per row.
 */
export function splitVectors(context: LoweringContext, from: Sql): Sql {
  const [lists, unused] = [freshColumn(context, 'w'), freshColumn(context, 'w')];
  const copies = SQL`list_resize([[0]], ${VECTOR_ROWS / FEW_ROWS})`;
  const repeated = subquery(select({ takesAll: true, items: [SQL`unnest(${copies}) AS ${lists}`], from }));
  return subquery(select({ takesAll: true, items: [SQL`unnest(${lists}) AS ${unused}`], from: repeated }));
}

/** Lowers expressions evaluated on rows, and returns whether they make long values. */
export function lowerOnRows<T>(context: LoweringContext, lower: () => T): { readonly result: T; readonly makesLongValues: boolean } {
  const around = context.makesLongValues;
  context.makesLongValues = false;
  const result = lower();
  const { makesLongValues } = context;
  context.makesLongValues = around;
  return { result, makesLongValues };
}
