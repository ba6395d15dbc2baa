import type { LoweringContext } from '../lowering-context.ts';
import { freshName } from '../lowering-context.ts';
import { withPrelude, type Prelude } from '../scope.ts';

/** As many rows the engine works on at once. */
const ROWS_AT_ONCE = 2048;

/**
 * And as many of those for each of which much is made, or very much: it does not count what it makes of a chunk of rows, and hears
 * no interrupt meanwhile.
 */
const FEW_ROWS = 16;
const FEWEST_ROWS = 4;
const VERY_MUCH = 2_097_152;

/**
 * The rows of a FROM text a few at a time, in their order, where as many bytes are made for each. Each is repeated until few of
 * them fill a chunk, and then all but one of each are left out; both by unnesting, which gives what is left of a chunk on by
 * itself, as a filter does not. About a microsecond a row, and four for the fewest.
 */
export function fewAtOnce(context: LoweringContext, from: string, made: number): string {
  if (made === 0) return from;
  const [lists, unused] = [freshName(context, 'w'), freshName(context, 'w')];
  const repeats = ROWS_AT_ONCE / (made > VERY_MUCH ? FEWEST_ROWS : FEW_ROWS);
  // As a literal, which is made once: of a function it would take the double.
  const repeated = `unnest(CAST([[0]${', NULL'.repeat(repeats - 1)}] AS INTEGER[][])) AS ${lists}`;
  return `(SELECT *, unnest(${lists}) AS ${unused} FROM (SELECT *, ${repeated} FROM ${from}))`;
}

/** Rows with the prelude's columns beside them, a few at a time where much is made for each: again above sub-queries, which the engine joins. */
export function preparedRows(context: LoweringContext, from: string, prelude: Prelude, made: number): string {
  const prepared = withPrelude(fewAtOnce(context, from, made), prelude);
  return prelude.columns.some(({ sql }) => sql.includes('(SELECT ')) ? fewAtOnce(context, prepared, made) : prepared;
}

/** Lowers what is evaluated on rows, and says how many bytes it may make for each; 0 where that is little. */
export function lowerOnRows<T>(context: LoweringContext, lower: () => T): { readonly result: T; readonly made: number } {
  const around = context.mostMade;
  context.mostMade = 0;
  const result = lower();
  const made = context.mostMade;
  context.mostMade = around;
  return { result, made };
}
