import type { Call } from '@svc/query-language';

import { constantOf } from '../analysis/constant-of.ts';
import { lowerValue } from './lower-value.ts';
import type { LoweringContext } from './lowering-context.ts';
import { callContext } from './lowering-context.ts';
import { letExpression } from './scalars/let-expression.ts';
import type { Scope } from './scope.ts';

/** The table of all time zone names, in lower case, as one list. */
const ZONES = 'time_zones';

/**
 * Lowers AT TIME ZONE. The engine's failure for an unknown zone has no position and is not caught by TRY, so a zone that is
 * not constant, and therefore unchecked, is looked up.
 */
export function lowerAtTimeZone(context: LoweringContext, plan: Call, scope: Scope): string {
  const [moment, zone] = plan.arguments;
  if (moment === undefined || zone === undefined) throw new Error('AT TIME ZONE has two operands');
  const [time, name] = [lowerValue(context, moment, scope), lowerValue(context, zone, scope)];
  const local = (t: string, z: string): string => `timezone(${z}, CAST(${t} AS TIMESTAMPTZ))`;
  if (typeof constantOf(zone) === 'string') return local(time, name);
  const table = `${ZONES} AS MATERIALIZED (SELECT list(lower(name)) AS names FROM pg_timezone_names())`;
  if (!context.tables.includes(table)) context.tables.push(table);
  const known = scope.hoisted.add(`(SELECT names FROM ${ZONES})`, { holdsSubquery: true });
  const call = callContext(context, plan, { functionName: 'AT TIME ZONE', isInTry: scope.isInTry });
  return letExpression([time, name], (t, z) => {
    const fail = call.raiseText(`concat('unknown time zone ''', left(${z}, 100), '''')`, plan.type);
    return `CASE WHEN list_contains(${known}, lower(${z})) THEN ${local(t, z)} WHEN ${t} IS NOT NULL AND ${z} IS NOT NULL THEN ${fail} END`;
  });
}
