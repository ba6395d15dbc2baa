import type { Plan } from '../plan/plan.ts';
import type { Expression, Name } from '../syntax/ast.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';
import type { Scope } from './scope.ts';
import { findCandidates } from './scope.ts';

/**
 * Reports a constant in double quotes that is the name of a visible field: SQL means the field, and the comparison would
 * have the same result for all rows. Null for other expressions.
 */
export function quotedField(context: CheckContext, expression: Expression, scope: Scope): Plan | null {
  if (expression.kind !== 'StringLiteral' || !expression.isDoubleQuoted) return null;
  const { span, value } = expression;
  const name: Name = { kind: 'Name', span, text: value, isQuoted: true };
  if (findCandidates(scope, name, ({ role }) => role === 'field').length === 0) return null;
  return report(context, 'field-in-quotes', span, value);
}
