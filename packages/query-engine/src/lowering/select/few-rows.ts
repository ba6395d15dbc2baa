import type { LoweringContext } from '../lowering-context.ts';
import { freshName } from '../lowering-context.ts';
import { withPrelude, type Prelude } from '../scope.ts';

/** Size of the engine's vectors. */
const ROWS_AT_ONCE = 2048;

/**
 * Number of rows per vector if much, or very much, is produced for each: the engine does not account for a vector in
 * progress, nor check for interrupts.
 */
const FEW_ROWS = 16;
const FEWEST_ROWS = 4;
const VERY_MUCH = 2_097_152;

/**
 * Splits vectors of a FROM text, in order, if `made` bytes are produced per row. Each row is repeated until few of them fill
 * a vector, and then all copies but one are dropped; both by unnesting, which passes on the rest of a vector by itself,
 * unlike a filter. About a microsecond per row, and four for the fewest.
 */
export function fewAtOnce(context: LoweringContext, from: string, made: number): string {
  if (made === 0) return from;
  const [lists, unused] = [freshName(context, 'w'), freshName(context, 'w')];
  const repeats = ROWS_AT_ONCE / (made > VERY_MUCH ? FEWEST_ROWS : FEW_ROWS);
  // A literal is built once; a function would take twice as long.
  const repeated = `unnest(CAST([[0]${', NULL'.repeat(repeats - 1)}] AS INTEGER[][])) AS ${lists}`;
  return `(SELECT *, unnest(${lists}) AS ${unused} FROM (SELECT *, ${repeated} FROM ${from}))`;
}

/** Adds hoisted columns to rows, with vectors split if much is produced per row: again above subqueries, which the engine joins. */
export function preparedRows(context: LoweringContext, from: string, prelude: Prelude, made: number): string {
  const prepared = withPrelude(fewAtOnce(context, from, made), prelude);
  return prelude.columns.some(({ sql }) => sql.includes('(SELECT ')) ? fewAtOnce(context, prepared, made) : prepared;
}

/** Lowers expressions evaluated on rows, and returns the number of bytes they may produce per row; 0 if that is little. */
export function lowerOnRows<T>(context: LoweringContext, lower: () => T): { readonly result: T; readonly made: number } {
  const around = context.mostMade;
  context.mostMade = 0;
  const result = lower();
  const made = context.mostMade;
  context.mostMade = around;
  return { result, made };
}
