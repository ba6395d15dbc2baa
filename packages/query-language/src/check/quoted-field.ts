import type { Plan } from '../plan/plan.ts';
import type { Expression, Name } from '../syntax/ast.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';
import type { Scope } from './scope.ts';
import { findCandidates } from './scope.ts';

/**
 * A text in double quotes that is the name of a field in sight, where a constant says nothing: SQL means the field, and would be
 * answered for all rows alike. A fault, after a report; null of anything else.
 */
export function quotedField(context: CheckContext, expression: Expression, scope: Scope): Plan | null {
  if (expression.kind !== 'StringLiteral' || !expression.isDoubleQuoted) return null;
  const { span, value } = expression;
  const name: Name = { kind: 'Name', span, text: value, isQuoted: true };
  if (findCandidates(scope, name, ({ role }) => role === 'field').length === 0) return null;
  return report(context, 'field-in-quotes', span, value);
}
