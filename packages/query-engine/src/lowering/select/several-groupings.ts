import type { Plan } from '@svc/query-language';

import { LoweringUnsupported } from '../lowering-unsupported.ts';

/** The engine omits the grouping of no rows in a correlated subquery. */
export function severalGroupings(span: Plan['span']): LoweringUnsupported {
  return new LoweringUnsupported(
    'ROLLUP, CUBE and GROUPING SETS cannot group what belongs to a row around: take the rows of the collection into FROM, and group by that row too',
    span,
  );
}
