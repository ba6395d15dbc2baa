import type { Aggregate } from '../program/term.ts';
import { textOf } from '../values/convert.ts';
import { compareInside, distinct, inOrder } from '../values/order.ts';
import type { Value } from '../values/value.ts';
import { Unpromised, ordered } from '../values/value.ts';
import { AGGREGATES, oneOf } from './aggregates.ts';
import type { Environment } from './environment.ts';
import { evaluate, isEmpty } from './environment.ts';
import { keep, sortBlocks } from './rows.ts';
import { touch } from './touch.ts';

type AggregateRule = (values: readonly Value[], term: Aggregate) => Value;

/** Order-dependent aggregates. Only COLLECT keeps NULL. */
const IN_ORDER: Readonly<Record<string, AggregateRule>> = {
  FIRST: (values) => values[0] ?? null,
  LAST: (values) => values.at(-1) ?? null,
  STRING_AGG: (values, { separator }) => (values.length === 0 ? null : values.map(textOf).join(String(separator ?? ''))),
};

/** An aggregate over the rows of the group of its SELECT. */
export function aggregateRows(term: Aggregate, environment: Environment): Value {
  const rows = keep(environment.groups.get(term.select) ?? [], term.filter);
  const sorted = term.orderBy.length === 0 ? rows : sortBlocks(rows.flat(), (row) => row, term.orderBy);
  const { argument } = term;
  if (isEmpty(environment.groups.get(term.select) ?? [])) touch(term.filter, environment);
  if (isEmpty(sorted)) touch([argument, term.by, term.orderBy.map(({ value }) => value)], environment);
  if (argument === null) return BigInt(sorted.flat().length);
  if (term.by !== null)
    return valueOfExtreme(
      sorted.flat().map((row) => [evaluate(argument, row), evaluate(term.by ?? argument, row)]),
      term.name,
    );
  const blocks = sorted.map((block) => block.map((row) => evaluate(argument, row)));
  if (term.name === 'COLLECT') return term.isDistinct ? ordered(distinct(blocks.flat())) : { kind: 'collection', blocks };
  const present = blocks.map((block) => block.filter((value) => value !== null));
  const rule = AGGREGATES[term.name];
  if (rule !== undefined) {
    const values = present.flat();
    return rule(term.isDistinct ? distinct(values).map((value) => oneOf(values, value)) : values, Number(term.separator));
  }
  const ofOrder = IN_ORDER[term.name];
  if (ofOrder === undefined) throw new Error(`there is no aggregate ${term.name}`);
  if (term.isDistinct) throw new Unpromised('order of DISTINCT in an aggregate');
  return ofOrder(inOrder({ kind: 'collection', blocks: present }), term);
}

/** Evaluates ARG_MIN and ARG_MAX over pairs of a value and its sort key; pairs with NULL are skipped. */
function valueOfExtreme(pairs: readonly (readonly [value: Value, by: Value])[], name: string): Value {
  const present = pairs.filter(([value, by]) => value !== null && by !== null);
  const [least] = present.map(([, by]) => by).toSorted((a, b) => compareInside(a, b) * (name === 'ARG_MIN' ? 1 : -1));
  if (least === undefined) return null;
  const [first = null, ...others] = present.filter(([, by]) => compareInside(by, least) === 0).map(([value]) => value);
  if (others.some((value) => compareInside(first, value) !== 0)) throw new Unpromised('order of ties in ARG_MIN');
  return first;
}
