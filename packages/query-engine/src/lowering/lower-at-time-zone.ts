import type { Call } from '@svc/query-language';

import { constantOf } from '../analysis/constant-of.ts';
import { materialized } from '../sql/select.ts';
import { columnRef, SQL, type Sql } from '../sql/sql.ts';
import type { LoweringContext } from './lowering-context.ts';
import { callContext } from './lowering-context.ts';
import { letExpression } from './scalars/let-expression.ts';
import type { Scope } from './scope.ts';

/** The table of all time zone names, in lower case, as one list. */
const ZONES = columnRef('time_zones');
const ZONES_TABLE = materialized(ZONES, SQL`SELECT list(lower(name)) AS names FROM pg_timezone_names()`);
const ZONE_NAMES = SQL`(SELECT names FROM ${ZONES})`;

/**
 * Lowers AT TIME ZONE. The engine's failure for an unknown zone has no position and is not caught by TRY, so a zone that is
 * not constant, and therefore unchecked, is looked up.
 */
export function lowerAtTimeZone(context: LoweringContext, plan: Call, scope: Scope): Sql {
  const [moment, zone] = plan.arguments;
  if (moment === undefined || zone === undefined) throw new Error('AT TIME ZONE has two operands');
  const [time, name] = [context.lowerValue(moment, scope), context.lowerValue(zone, scope)];
  const local = (t: Sql, z: Sql): Sql => SQL`timezone(${z}, CAST(${t} AS TIMESTAMPTZ))`;
  if (typeof constantOf(zone) === 'string') return local(time, name);
  if (!context.tables.includes(ZONES_TABLE)) context.tables.push(ZONES_TABLE);
  const known = scope.hoisted.add(ZONE_NAMES, { holdsSubquery: true });
  const call = callContext(context, plan, 'AT TIME ZONE', scope);
  return letExpression([time, name], (t, z) => {
    const fail = call.raiseText(SQL`concat('unknown time zone ''', left(${z}, 100), '''')`, plan.type);
    return SQL`CASE WHEN list_contains(${known}, lower(${z})) THEN ${local(t, z)} WHEN ${t} IS NOT NULL AND ${z} IS NOT NULL THEN ${fail} END`;
  });
}
