import type { Plan } from '@svc/query-language';

import { LoweringUnsupported } from '../lowering-unsupported.ts';

/** The engine adds one group to a correlated subquery over no rows, however many of its groupings have no keys. */
export function severalTotals(span: Plan['span']): LoweringUnsupported {
  return new LoweringUnsupported(
    'several groupings without keys cannot group what belongs to a row around: leave one of them in GROUPING SETS',
    span,
  );
}
