import type { Span } from '../text/span.ts';
import { long } from '../types/types.ts';
import type { Plan, SortKey } from './plan.ts';

/** `ROW_NUMBER() OVER (PARTITION BY … ORDER BY …)` */
export function rowNumber(partitionBy: readonly Plan[], orderBy: readonly SortKey[], span: Span): Plan {
  return {
    kind: 'WindowCall',
    type: long,
    span,
    function: 'ROW_NUMBER',
    arguments: [],
    isDistinct: false,
    ignoresNulls: false,
    filter: null,
    partitionBy,
    orderBy,
    frame: null,
  };
}
