import { DATA_TABLES } from './tables.ts';
import type { DeclaredCall, Term } from './term.ts';
import { partsOf, someNode } from './tree.ts';

type Node = Readonly<Record<string, unknown>>;

/** Tables of records. Other tables are collection values built by each program. */
const TABLES: ReadonlySet<unknown> = new Set(DATA_TABLES.filter(({ shape }) => typeof shape.element === 'object').map(({ id }) => id));

/** Kinds whose result, if it is rows, comes from a query: a choice between rows, a function of their elements. */
const OF_ROWS: ReadonlySet<unknown> = new Set(['if', 'case', 'into', 'exclude', 'lambda-call', 'call', 'binary']);

/**
 * Returns the outermost terms that no branch or TRY guards. `own` are enclosing SELECTs that are guarded, so their
 * aggregates are too.
 */
export function unguardedTerms(tree: unknown, own: ReadonlySet<unknown> = new Set()): readonly Node[] {
  if (Array.isArray(tree)) return tree.flatMap((part) => unguardedTerms(part, own));
  if (typeof tree !== 'object' || tree === null) return [];
  const node = tree as Node;
  if (isUnguarded(node, own)) return [node];
  return unguardedTerms(partsOf(node), node['kind'] === 'select' ? new Set([...own, node['id']]) : own);
}

function isUnguarded(node: Node, own: ReadonlySet<unknown>): boolean {
  const { kind } = node;
  if (kind === 'aggregate' || kind === 'window') return !own.has(node['select']);
  if (kind === 'star') return node['isGroup'] === true;
  // They number equal elements by a window.
  if (kind === 'binary' && (node['operator'] === 'EXCEPT ALL' || node['operator'] === 'INTERSECT ALL')) return true;
  if (kind === 'ordered-chain') return readsRows(node);
  // The declared value of a query is evaluated with the query.
  if (kind === 'block') return unguardedTerms(node['result']).length > 0;
  if (kind === 'declared-call') return unguardedTerms((node as unknown as DeclaredCall).function.body).length > 0;
  // A query in the record that INTO makes may use the fields of the operand: it is evaluated with them.
  if (kind === 'into' && !isCollection(node)) return unguardedTerms(node['record'], own).length > 0;
  // CSUM, ANY and their like over rows are queries.
  if (kind === 'call' && (node['arguments'] as readonly Node[]).some((argument) => isCollection(argument) && readsRows(argument)))
    return true;
  if ((kind === 'lambda-call' || kind === 'reduce') && readsRows(node['collection'])) return true;
  if (OF_ROWS.has(kind)) return isCollection(node) && readsRows(node);
  if (kind !== 'select') return false;
  const { sources, keys, items, distinctOn } = node as {
    readonly [name in 'sources' | 'keys' | 'items' | 'distinctOn']: readonly unknown[];
  };
  const isOwnWindow = (part: Node): boolean => part['kind'] === 'window' && part['select'] === node['id'];
  // DISTINCT ON is a window.
  if (distinctOn.length > 0) return true;
  return sources.length > 1 || keys.length > 0 || readsRows(sources) || someNode([items, node['orderBy'], node['qualify']], isOwnWindow);
}

/** Returns whether a term depends on more than the row: a table, a group, or a declared collection, which may be rows. */
function readsRows(term: unknown): boolean {
  const isGroup = (node: Node): boolean => node['kind'] === 'star' && node['isGroup'] === true;
  const isDeclared = ({ name, shape }: Node): boolean => (name === 'p' || name === 'q') && typeof shape === 'object';
  return someNode(term, (node) => isGroup(node) || (node['kind'] === 'variable' && (TABLES.has(node['id']) || isDeclared(node))));
}

function isCollection({ shape }: Node): boolean {
  return typeof shape === 'object' && shape !== null && (shape as { readonly kind: string }).kind === 'collection';
}

/** Returns whether TRY can contain a term. */
export function isTryable(term: Term): boolean {
  return unguardedTerms(term).length === 0 && !readsRows(term);
}
