import type { Span } from '../text/span.ts';
import type { SelectExpression, SelectItem, Source } from './ast.ts';

/** `SELECT items FROM source`, as a query that nobody wrote has it. */
export function plainQuery(span: Span, items: readonly SelectItem[], source: Source): SelectExpression {
  return {
    kind: 'SelectExpression',
    span,
    isDistinct: false,
    distinctOn: [],
    items,
    sources: [source],
    where: null,
    groupBy: [],
    groupingSets: null,
    isGroupedByAll: false,
    having: null,
    windows: [],
    qualify: null,
    orderBy: [],
    limit: null,
    offset: null,
  };
}
