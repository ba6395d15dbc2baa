import type { Plan } from '../plan/plan.ts';
import type { AtTimeZoneExpression } from '../syntax/ast.ts';
import { nullable, string, timestamp } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { placeOf, report } from './check-context.ts';
import { expectOperand, mayBeNull } from './convert.ts';
import { checkValue } from './check-value.ts';
import type { Scope } from './scope.ts';

/** `t AT TIME ZONE zone`: a moment in UTC as the clock in that zone shows it. */
export function checkAtTimeZone(context: CheckContext, node: AtTimeZoneExpression, scope: Scope): Plan {
  const moment = expectOperand(context, checkValue(context, node.operand, scope), timestamp, node.operand.span);
  const zone = expectOperand(context, checkValue(context, node.zone, scope), string, node.zone.span);
  if (zone.kind === 'Constant' && typeof zone.value === 'string' && !isTimeZone(zone.value))
    return report(context, 'unknown-time-zone', node.zone.span, zone.value);
  return {
    kind: 'Call',
    type: mayBeNull(moment) || mayBeNull(zone) ? nullable(timestamp) : timestamp,
    span: placeOf(context, node.span),
    function: 'AT TIME ZONE',
    arguments: [moment, zone],
  };
}

/** Returns whether a name is in the time zone database, in any case. Offsets such as `+02:00` are not. */
function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
