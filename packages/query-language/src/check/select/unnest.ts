import type { Expression } from '../../syntax/ast.ts';
import type { Scope } from '../scope.ts';
import { findCandidates } from '../scope.ts';

/** The collection that `UNNEST(c)` reads as a source; null of any other source. */
export function unnestedBy(source: Expression, scope: Scope): Expression | null {
  if (source.kind !== 'CallExpression' || source.callee.kind !== 'NameExpression') return null;
  const { name } = source.callee;
  if (name.isQuoted || name.text.toUpperCase() !== 'UNNEST' || findCandidates(scope, name, () => true).length > 0) return null;
  const [only, another] = source.arguments;
  return only !== undefined && only.name === null && another === undefined ? only.value : null;
}
