import { findFunction } from '../../functions/find-function.ts';
import type { CallExpression, SelectExpression } from '../../syntax/ast.ts';
import type { Scope } from '../scope.ts';
import { findCandidates } from '../scope.ts';

/** Whether an item, HAVING or ORDER BY holds an aggregate over the SELECT's own rows. */
export function hasOwnAggregate(node: SelectExpression, outer: Scope): boolean {
  return [node.items, node.having, node.orderBy].some((part) => holdsAggregate(part, outer));
}

/** Looks through a tree for aggregates, not into the items of a SELECT within: those are its own. */
function holdsAggregate(part: unknown, outer: Scope): boolean {
  if (Array.isArray(part)) return part.some((member) => holdsAggregate(member, outer));
  if (typeof part !== 'object' || part === null || !('kind' in part)) return false;
  if (part.kind === 'SelectExpression') return holdsAggregate((part as SelectExpression).sources, outer);
  if (part.kind === 'CallExpression' && isOwnAggregate(part as CallExpression, outer)) return true;
  return Object.values(part).some((member) => holdsAggregate(member, outer));
}

/** An aggregate whose argument is no SELECT; one that a declaration of the same name hides is none. */
function isOwnAggregate(call: CallExpression, outer: Scope): boolean {
  if (!isAggregateCall(call, outer) || call.window !== null) return false;
  return call.arguments[0]?.value.kind !== 'SelectExpression';
}

/** Whether a call is of a built-in aggregate. */
function isAggregateCall(call: CallExpression, scope: Scope): boolean {
  if (call.callee.kind !== 'NameExpression') return false;
  const { name } = call.callee;
  return findFunction(name.text)?.kind === 'aggregate' && findCandidates(scope, name, (candidate) => candidate.isFunction).length === 0;
}
