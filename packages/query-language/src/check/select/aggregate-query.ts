import { findFunction } from '../../functions/find-function.ts';
import type { CallExpression, Expression, GroupItem, SelectExpression } from '../../syntax/ast.ts';
import type { SyntaxNode } from '../../syntax/walk.ts';
import { childrenOf } from '../../syntax/walk.ts';
import type { Scope } from '../scope.ts';
import { callOfSql } from '../call/sql-calls.ts';
import { findCandidates } from '../scope.ts';

/** Returns whether an item or ORDER BY contains an aggregate over the SELECT's own rows. HAVING always makes an aggregate query. */
export function hasOwnAggregate(node: SelectExpression, outer: Scope): boolean {
  const parts = [...node.items, ...node.orderBy, ...(node.qualify === null ? [] : [node.qualify])];
  return node.having !== null || holdsAggregate(parts, outer);
}

/** Returns the name of the first aggregate over the SELECT's own rows; null if only HAVING makes it an aggregate query. */
export function nameOfAggregate({ items, orderBy }: SelectExpression, outer: Scope): string | null {
  const callee = findAggregate([...items, ...orderBy], outer)?.callee;
  return callee?.kind === 'NameExpression' ? callee.name.text.toUpperCase() : null;
}

/** The keys of GROUP BY ALL: the items without aggregates and windows. */
export function keysOfItems(node: SelectExpression, outer: Scope): readonly GroupItem[] {
  return node.items.flatMap((item) =>
    item.kind === 'StarItem' || holdsAggregate([item], outer) || holdsWindow(item)
      ? []
      : [{ kind: 'GroupItem', span: item.span, value: item.value, alias: null }],
  );
}

function holdsWindow(node: SyntaxNode): boolean {
  return (
    (node.kind === 'CallExpression' && node.window !== null) || (node.kind !== 'SelectExpression' && childrenOf(node).some(holdsWindow))
  );
}

function holdsAggregate(parts: readonly SyntaxNode[], outer: Scope): boolean {
  return findAggregate(parts, outer) !== null;
}

/**
 * Searches syntax trees for an aggregate, without the items of nested SELECTs, whose aggregates are their own. Iterative,
 * since a chain may be deeper than the stack.
 */
function findAggregate(parts: readonly SyntaxNode[], outer: Scope): CallExpression | null {
  const waiting = parts.toReversed();
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (part.kind === 'CallExpression' && isOwnAggregate(part, outer)) return part;
    waiting.push(...(part.kind === 'SelectExpression' ? part.sources : childrenOf(part)));
  }
  return null;
}

/** Returns whether a call is an aggregate over the SELECT's own rows: its argument has no elements, and no declaration hides its name. */
function isOwnAggregate(call: CallExpression, outer: Scope): boolean {
  if (!isAggregateCall(call, outer) || call.window !== null) return false;
  const [first] = call.arguments;
  return first === undefined || !isQueryOfElements(first.value, outer);
}

/** Returns whether an argument of an aggregate is a query whose elements it aggregates; an aggregate query is one value. */
export function isQueryOfElements(argument: Expression, outer: Scope): boolean {
  return argument.kind === 'SelectExpression' && !isAggregateQuery(argument, outer);
}

/** Returns whether a SELECT is an aggregate query, whose result is one value or record. */
export function isAggregateQuery(query: SelectExpression, outer: Scope): boolean {
  return query.groupBy.length === 0 && !query.isGroupedByAll && hasOwnAggregate(query, outer);
}

/** Returns whether a call is of a built-in aggregate. */
function isAggregateCall(call: CallExpression, scope: Scope): boolean {
  if (call.callee.kind !== 'NameExpression') return false;
  const { name } = call.callee;
  return (
    (findFunction(name.text)?.kind === 'aggregate' || (callOfSql(call, name.text.toUpperCase())?.filter ?? null) !== null) &&
    findCandidates(scope, name, (candidate) => candidate.isFunction === true).length === 0
  );
}
