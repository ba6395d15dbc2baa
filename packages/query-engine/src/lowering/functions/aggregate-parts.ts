import type { Aggregate, WindowCall } from '@svc/query-language';

import type { AggregateLowering, FunctionLowering } from '../lowering-types.ts';
import { isFloating, isDecimal } from '../scalars/number-types.ts';
import { STRING_AGG_PARTS, textOfParts } from './collected.ts';
import { unordered } from './aggregate-forms.ts';
import { withoutNull } from './function-parts.ts';
import { spreadOfParts, spreadParts } from './spread.ts';
import { meanOfParts, SUM_PARTS, sumOfParts } from './sums.ts';

/**
 * No functions of the language: what cannot fail of the aggregates that can fail of themselves, for where they may not be asked for.
 * Each has the type of its aggregate in the plan, though it is another value in the engine, which `OF_PARTS` alone reads.
 */
export const AGGREGATE_PARTS: Readonly<Record<string, AggregateLowering>> = {
  SUM_PARTS,
  AVG_PARTS: SUM_PARTS,
  STDDEV_PARTS: spreadParts('stddev_samp'),
  VARIANCE_PARTS: spreadParts('var_samp'),
  STRING_AGG_PARTS,
  /** Any value that is not NULL. */
  ANY_VALUE: unordered(
    ([value], rows) => `any_value(${value?.sql ?? 'NULL'})${rows.suffix}`,
    (list) => `list_extract(${withoutNull(list)}, 1)`,
  ),
};

/** No functions of the language: the aggregates of their parts, which fail here; and what fails whatever it is given. */
export const OF_PARTS: Readonly<Record<string, FunctionLowering>> = {
  SUM_OF_PARTS: sumOfParts,
  AVG_OF_PARTS: meanOfParts,
  STDDEV_OF_PARTS: spreadOfParts,
  VARIANCE_OF_PARTS: spreadOfParts,
  STRING_AGG_OF_PARTS: textOfParts,
  FAIL: (args, call) => {
    const failure = call.raise('a value of a row cannot be computed', call.type);
    return args.length === 0 ? failure : `CASE WHEN hash(${args.map(({ sql }) => sql).join(', ')}) IS NOT NULL THEN ${failure} END`;
  },
};

/** Whether an aggregate can fail though none of its arguments does, and so has parts. */
export function hasParts({ function: name, type, arguments: args }: Aggregate | WindowCall): boolean {
  if (name === 'SUM') return !isFloating(type);
  if (name === 'AVG') return isDecimal(type);
  if (name === 'STRING_AGG') return !(args[1]?.kind === 'Constant' && typeof args[1].value === 'string');
  return name === 'STDDEV' || name === 'VARIANCE';
}
