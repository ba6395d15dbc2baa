import type { Noted } from '@svc/query-language';

import type { Sql } from '../sql/sql.ts';
import type { LoweringContext } from './lowering-context.ts';
import type { Scope } from './scope.ts';

/** Lowers the operand so that its failures are recorded under the key instead of being raised. */
export function lowerNoted(context: LoweringContext, { operand, key }: Noted, scope: Scope): Sql {
  const around = context.noteKey;
  const noteKey = context.lowerValue(key, scope);
  context.noteKey = noteKey;
  try {
    return context.lowerValue(operand, scope);
  } finally {
    context.noteKey = around;
  }
}
