import { select, subquery } from '../../sql/select.ts';
import { castTo, SQL, verbatim, type Sql } from '../../sql/sql.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { freshColumn } from '../lowering-context.ts';

/** Number of rows in a vector of the engine. */
const VECTOR_ROWS = 2048;

/**
 * Number of rows per vector if much, or very much, is produced for each: the engine does not account for a vector in
 * progress, nor check for interrupts.
 */
const FEW_ROWS = 16;
const FEWEST_ROWS = 4;
const VERY_MUCH = 2_097_152;

/**
 * Splits the vectors of a FROM text, in order, if each row produces `outputBytes`. Each row is repeated until few of them fill a
 * vector, and then all copies but one are dropped; both by unnesting, which passes on the rest of a vector by itself,
 * unlike a filter. About a microsecond per row, and four for the fewest.
 */
export function splitVectors(context: LoweringContext, from: Sql, outputBytes: number): Sql {
  if (outputBytes === 0) return from;
  const [lists, unused] = [freshColumn(context, 'w'), freshColumn(context, 'w')];
  const repeats = VECTOR_ROWS / (outputBytes > VERY_MUCH ? FEWEST_ROWS : FEW_ROWS);
  // A literal is built once; a function would take twice as long.
  const copies = castTo(SQL`[[0]${verbatim(', NULL'.repeat(repeats - 1))}]`, 'INTEGER[][]');
  const repeated = subquery(select({ takesAll: true, items: [SQL`unnest(${copies}) AS ${lists}`], from }));
  return subquery(select({ takesAll: true, items: [SQL`unnest(${lists}) AS ${unused}`], from: repeated }));
}

/** Lowers expressions evaluated on rows, and returns the number of bytes that they may produce per row; 0 if that is little. */
export function lowerOnRows<T>(context: LoweringContext, lower: () => T): { readonly result: T; readonly outputBytes: number } {
  const around = context.outputBytes;
  context.outputBytes = 0;
  const result = lower();
  const outputBytes = context.outputBytes;
  context.outputBytes = around;
  return { result, outputBytes };
}
