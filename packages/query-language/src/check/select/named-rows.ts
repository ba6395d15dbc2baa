import type { Expression, NameExpression, SelectExpression } from '../../syntax/ast.ts';
import type { NamedRows, Scope } from '../scope.ts';
import { findCandidates } from '../scope.ts';
import { isAggregateQuery } from './aggregate-query.ts';
import { impliedName } from './implied-name.ts';

/** Returns what the text of a query determines of its rows as a source, following names of declarations. */
export function namedRowsOf(query: Expression, scope: Scope): NamedRows {
  return { name: (steps = 0) => nameOfRows(query, scope, steps), isOneRow: (steps = 0) => isOneRow(query, scope, steps) };
}

/** Returns the name of a query's only item, which names its rows if they are not records; for a chain, that of its first SELECT. */
function nameOfRows(query: Expression, scope: Scope, steps: number): string | null {
  if (query.kind === 'SetExpression') return nameOfRows(query.left, scope, steps);
  if (query.kind === 'OrderedChain') return nameOfRows(query.operand, scope, steps);
  if (query.kind === 'NameExpression') return declaredRows(query, scope, steps)?.name(steps + 1) ?? null;
  return query.kind === 'SelectExpression' ? nameOfItem(query, scope, steps) : null;
}

function nameOfItem({ items, sources }: SelectExpression, scope: Scope, steps: number): string | null {
  const [item, another] = items;
  if (item === undefined || another !== undefined || item.alias !== null) return null;
  if (item.kind === 'ExpressionItem') return impliedName(item.value);
  const [source, second] = sources;
  if (source === undefined || second !== undefined || item.source !== null) return null;
  return source.columns.length === 1 ? (source.columns[0]?.text ?? null) : nameOfRows(source.collection, scope, steps);
}

/** Maximum number of declarations to follow. Cycles are reported elsewhere. */
const MOST_STEPS = 20;

function declaredRows({ name }: NameExpression, scope: Scope, steps: number): NamedRows | undefined {
  return steps < MOST_STEPS ? findCandidates(scope, name, () => true)[0]?.rows : undefined;
}

/**
 * Returns whether a query is an aggregate query without HAVING. With HAVING it may have no row, which a value that is not a
 * record cannot distinguish from NULL.
 */
function isOneRow(query: Expression, scope: Scope, steps: number): boolean {
  if (query.kind === 'NameExpression') return declaredRows(query, scope, steps)?.isOneRow(steps + 1) ?? false;
  return query.kind === 'SelectExpression' && query.having === null && isAggregateQuery(query, scope);
}
