import type { Plan } from '@svc/query-language';

import { somePart } from './variables.ts';

const NEVER_FAILS = new Set(['UPPER', 'LOWER', 'TRIM', 'LTRIM', 'RTRIM', 'LENGTH', 'LEN', 'CONCAT', 'STARTS_WITH', 'ENDS_WITH', 'CONTAINS', 'YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND',
  'MATCHES', 'IS_NAN', 'EXISTS', 'CCOUNT', 'CHARINDEX']);

/** Whether evaluating a plan may raise: an operand of AND, OR or WHERE that can must be kept behind what guards it. */
export function canFail(plan: Plan): boolean {
  return somePart(plan, (part) => {
    switch (part.kind) {
      case 'Cast': return !part.isTry;
      case 'Arithmetic': return part.operator !== 'concatenate' && !(part.type.kind === 'PrimitiveType' && (part.type.name === 'double' || part.type.name === 'float'));
      case 'Call': return !NEVER_FAILS.has(part.function);
      case 'Like': return part.escape !== null;
      default: return false;
    }
  });
}
