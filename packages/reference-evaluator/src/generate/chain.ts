import type { ChainKey, Select } from '../program/term.ts';
import type { CollectionShape } from '../values/shape.ts';
import { bounds } from './clauses.ts';
import type { Generator, Maker } from './generator.ts';
import { pick } from './generator.ts';
import { selectOf } from './select.ts';

/** `a UNION b`, and `a UNION SELECT … ORDER BY …`, where ORDER BY and LIMIT apply to the whole chain. */
export const chain: Maker = (g, shape, scope, depth) => {
  const operator = pick(g, ['UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT', 'EXCEPT ALL', 'INTERSECT ALL'] as const);
  const left = g.expression(shape, scope, depth);
  if (!g.tape.chance(35)) return { kind: 'binary', shape, operator, left, right: g.expression(shape, scope, depth) };
  const { element } = shape as CollectionShape;
  const right: Select = { ...selectOf(g, element, scope, depth), orderBy: [], limit: null, offset: null };
  const operands = { kind: 'binary', shape, operator, left, right } as const;
  const names = typeof element === 'object' && element.kind === 'record' ? element.fields.map(({ name }) => name) : [];
  const isPlain = names.length === 0 ? right.items[0]?.field === null : right.items.every(({ field }, i) => field === names[i]);
  if (!isPlain || right.items.some(({ value }) => value.kind === 'star')) return operands;
  const orderBy = [keyOf(g, names), ...(g.tape.chance(40) ? [keyOf(g, names)] : [])];
  return { kind: 'ordered-chain', shape, operands, orderBy, ...bounds(g, [], true) };
};

function keyOf(g: Generator, names: readonly string[]): ChainKey {
  const index = names.length === 0 ? 0 : g.tape.choose(names.length);
  return {
    index,
    name: names.length > 0 && g.tape.chance(60) ? (names[index] ?? null) : null,
    isOfRecord: names.length > 0,
    isDescending: g.tape.chance(40),
    nulls: g.tape.chance(25) ? pick(g, ['first', 'last'] as const) : null,
  };
}
