import { impliedName } from '../program/implied-name.ts';
import type { Item, Order, Select, Source, Term } from '../program/term.ts';
import { someNode } from '../program/tree.ts';
import { aggregateOf, orderOf } from './aggregate.ts';
import type { Generator } from './generator.ts';
import { pick } from './generator.ts';
import { scalarShape } from './literal.ts';
import type { Scope } from './scope.ts';
import { blocking } from './scope.ts';
import { windowOf } from './window.ts';

/** The clauses of a SELECT over rows, behind WHERE. */
type LastClauses = Pick<Select, 'isDistinct' | 'distinctOn' | 'keys' | 'groupings' | 'having' | 'qualify' | 'orderBy' | 'limit' | 'offset'>;

/** Generates the clauses of a SELECT over rows, not groups. */
export function lastClauses(
  generator: Generator,
  at: { readonly id: number; readonly items: readonly Item[]; readonly sources: readonly Source[]; readonly scope: Scope },
): LastClauses {
  const isDistinct = generator.tape.chance(15);
  const order = orderedBy(generator, { ...at, isDistinct });
  // DISTINCT ON is a window itself, over whose order the engine computes no other.
  const hasWindows = someNode([at.items, order], (node) => node['kind'] === 'window' && node['select'] === at.id);
  const distinctOn = isDistinct || hasWindows || !generator.tape.chance(8) ? [] : keysOf(generator, at);
  return {
    isDistinct,
    distinctOn,
    keys: [],
    groupings: null,
    having: null,
    qualify: distinctOn.length === 0 && generator.tape.chance(10) ? qualifyOf(generator, at) : null,
    ...order,
    ...bounds(generator, at.sources, order.orderBy.length > 0 || isDistinct),
  };
}

/** Generates the keys of DISTINCT ON, which sees item names first. */
function keysOf(generator: Generator, { items, scope }: { readonly items: readonly Item[]; readonly scope: Scope }): readonly Term[] {
  const seen = blocking(scope, namesOfItems(items));
  return Array.from({ length: 1 + generator.tape.choose(2) }, () => orderOf(generator, seen).value);
}

function namesOfItems(items: readonly Item[]): readonly string[] {
  return items.flatMap(({ value, field }) => [field, impliedName(value)]).filter((name) => name !== null);
}

/** Generates ORDER BY, which sees item names first, then the scope of the items; with DISTINCT only items. */
export function orderedBy(
  generator: Generator,
  at: { readonly id: number; readonly items: readonly Item[]; readonly isDistinct: boolean; readonly scope: Scope },
): { readonly orderBy: readonly Order[] } {
  const { id, items, isDistinct, scope } = at;
  if (!generator.tape.chance(35)) return { orderBy: [] };
  const named = items.map(({ value, field, spread }, index): Term => {
    const name = field !== null && (spread !== undefined || generator.tape.chance(70)) ? field : null;
    return { kind: 'item-name', shape: value.shape, select: id, index, name };
  });
  const isStar = items.some(({ value }) => value.kind === 'star');
  const seen = blocking(scope, namesOfItems(items));
  const free: Scope = { ...seen, group: null, star: null };
  const orders = Array.from({ length: 1 + generator.tape.choose(2) }, (): Order => {
    const order = { ...orderOf(generator, free), ...(isDistinct ? {} : computedKey(generator, seen, id)) };
    const takesItem = isDistinct || (!isStar && generator.tape.chance(60));
    return takesItem && named.length > 0 && !isStar ? { ...order, value: pick(generator, named) } : order;
  });
  return { orderBy: isDistinct && isStar ? [] : orders };
}

/** Generates a comparison of a window with a number; names of items take precedence over others, and are avoided. */
export function qualifyOf(generator: Generator, at: { readonly id: number; readonly items: readonly Item[]; readonly scope: Scope }): Term {
  const rows = blocking(at.scope, namesOfItems(at.items));
  const left = windowOf(generator, 'long', { select: at.id, rows, canDeclare: false }, 1);
  const right: Term = { kind: 'literal', shape: 'int', value: pick(generator, [2n, 1n, 3n, 0n]) };
  return { kind: 'binary', shape: 'bool', operator: pick(generator, ['<=', '=', '>'] as const), left, right };
}

/** Now and then an aggregate of the group, or a window. */
function computedKey(generator: Generator, scope: Scope, select: number): Partial<Order> {
  const shape = scalarShape(generator);
  const aggregate = scope.group !== null && generator.tape.chance(25) ? aggregateOf(generator, shape, scope, 1) : null;
  if (aggregate !== null) return { value: aggregate };
  return generator.tape.chance(8) ? { value: windowOf(generator, shape, { select, rows: scope, canDeclare: false }, 1) } : {};
}

/** Generates LIMIT and OFFSET if the order of the rows is guaranteed. */
export function bounds(
  generator: Generator,
  sources: readonly Source[],
  isOrdered: boolean,
): { readonly limit: Term | null; readonly offset: Term | null } {
  const bound = (): Term =>
    generator.tape.chance(6)
      ? { kind: 'null', shape: 'unknown' }
      : { kind: 'literal', shape: 'int', value: pick(generator, [2n, 1n, 0n, 3n, 5n, -1n]) };
  if (!isOrdered && sources.length > 1) return { limit: null, offset: null };
  return { limit: generator.tape.chance(20) ? bound() : null, offset: generator.tape.chance(8) ? bound() : null };
}
