import type { LoweringContext } from '../lowering-context.ts';
import { freshName } from '../lowering-context.ts';

/** As many rows the engine works on at once. */
const ROWS_AT_ONCE = 2048;

/** And as many of those for each of which much may be made: it does not count what it makes of a chunk of rows, and hears no interrupt meanwhile. */
const FEW_ROWS = 16;

/**
 * The rows of a FROM text a few at a time, in their order. Each is repeated until few of them fill a chunk, and then all but one of
 * each are left out; both by unnesting, which gives what is left of a chunk on by itself, as a filter does not. About a microsecond a row.
 */
export function fewAtOnce(context: LoweringContext, from: string): string {
  const [lists, unused] = [freshName(context, 'w'), freshName(context, 'w')];
  const repeated = `unnest(CAST([[0]${', NULL'.repeat(ROWS_AT_ONCE / FEW_ROWS - 1)}] AS INTEGER[][])) AS ${lists}`;
  return `(SELECT *, unnest(${lists}) AS ${unused} FROM (SELECT *, ${repeated} FROM ${from}))`;
}

/** Lowers what is evaluated on rows, and says whether it may make much for each. */
export function lowerOnRows<T>(context: LoweringContext, lower: () => T): { readonly result: T; readonly isMuch: boolean } {
  const isMuchAround = context.isMuchMade;
  context.isMuchMade = false;
  const result = lower();
  const isMuch = context.isMuchMade;
  context.isMuchMade = isMuchAround;
  return { result, isMuch };
}
