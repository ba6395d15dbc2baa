import type { Expression } from '../../syntax/ast.ts';
import { calledName } from '../../syntax/parser/sql-forms.ts';
import type { Scope } from '../scope.ts';
import { findCandidates } from '../scope.ts';

/** The collection that `UNNEST(c)` reads as a source; null of any other source. */
export function unnestedBy(source: Expression, scope: Scope): Expression | null {
  if (source.kind !== 'CallExpression' || calledName(source) !== 'UNNEST' || source.callee.kind !== 'NameExpression') return null;
  if (findCandidates(scope, source.callee.name, () => true).length > 0) return null;
  const [only, another] = source.arguments;
  return only !== undefined && only.name === null && another === undefined ? only.value : null;
}
