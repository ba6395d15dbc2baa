import type { Call, Term } from '../program/term.ts';
import { convert, textOf } from '../values/convert.ts';
import { compareInside, compareKeys, distinct, elementAt, inOrder } from '../values/order.ts';
import type { Shape } from '../values/shape.ts';
import { commonShape } from '../values/shape.ts';
import type { CollectionValue, Value } from '../values/value.ts';
import { elementsOf, ordered } from '../values/value.ts';
import { AGGREGATES } from './aggregates.ts';
import { jsonText } from './casts.ts';
import type { Environment } from './environment.ts';
import { evaluate } from './environment.ts';
import type { Rule } from './function-rule.ts';
import { NUMBER_FUNCTIONS } from './number-functions.ts';
import { TEMPORAL_FUNCTIONS } from './temporal-functions.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';
import { touchBranches } from './touch.ts';

/** A call of a built-in function. */
export function callFunction(term: Call, environment: Environment): Value {
  const lazy = LAZY[term.name];
  if (lazy !== undefined) {
    touchBranches(term.arguments, environment);
    return lazy(term, environment);
  }
  const args = term.arguments.map((argument) => evaluate(argument, environment));
  if (args.includes(null)) return null;
  const rule = FUNCTIONS[term.name];
  if (rule === undefined) throw new Error(`there is no function ${term.name}`);
  return rule(args, term);
}

/** Functions that evaluate their arguments lazily, or accept NULL. */
const LAZY: Readonly<Record<string, (term: Call, environment: Environment) => Value>> = {
  COALESCE: (term, environment) => {
    for (const argument of term.arguments) {
      const value = evaluate(argument, environment);
      if (value !== null) return convert(value, term.shape);
    }
    return null;
  },
  ISNULL: ({ shape, arguments: [value, alternative] }, environment) => {
    const found = value === undefined ? null : evaluate(value, environment);
    return found !== null || alternative === undefined ? convert(found, shape) : convert(evaluate(alternative, environment), shape);
  },
  EXISTS: ({ arguments: [collection] }, environment) => {
    const found = collection === undefined ? null : evaluate(collection, environment);
    return found !== null && elementsOf(found as CollectionValue).length > 0;
  },
  CHOOSE: ({ shape, arguments: [index, ...values] }, environment) => {
    const place = index === undefined ? null : evaluate(index, environment);
    const chosen = typeof place === 'bigint' ? values[Number(place) - 1] : undefined;
    return chosen === undefined ? null : convert(evaluate(chosen, environment), shape);
  },
  CONCAT: ({ arguments: texts }, environment) =>
    texts
      .map((text) => evaluate(text, environment))
      .map((text) => (text === null ? '' : textOf(text)))
      .join(''),
  IFF: ({ shape, arguments: [condition, yes, no] }, environment) => {
    const chosen = condition === undefined ? null : evaluate(condition, environment);
    const branch = chosen === true ? yes : no;
    return chosen === null || branch === undefined ? null : convert(evaluate(branch, environment), shape);
  },
  NULLIF: ({ shape, arguments: [value, other] }, environment) => {
    if (value === undefined || other === undefined) return null;
    const common = commonShape(value.shape, other.shape);
    const [a, b] = [value, other].map((part) => evaluate(part, environment));
    return a !== null && b !== null && compareInside(convert(a ?? null, common), convert(b ?? null, common)) === 0
      ? null
      : convert(a ?? null, shape);
  },
};

const ofCollection =
  (rule: (collection: CollectionValue, shape: Shape) => Value): Rule =>
  ([collection], { shape }) =>
    rule(collection as CollectionValue, shape);

const presentOf = (collection: CollectionValue): readonly Value[] => elementsOf(collection).filter((element) => element !== null);

const length = (n: number): bigint => BigInt(n);

/** Functions that are NULL if an argument is NULL. */
const FUNCTIONS: Readonly<Record<string, Rule>> = {
  ...NUMBER_FUNCTIONS,
  ...TEXT_FUNCTIONS,
  ...TEMPORAL_FUNCTIONS,
  LEN: ([value = null]) => {
    if (typeof value === 'string') return length([...value].length);
    if (typeof value === 'object' && value?.kind === 'bytes') return length(value.hex.length / 2);
    return length(elementsOf(value as CollectionValue).length);
  },
  ...Object.fromEntries(
    Object.entries(AGGREGATES).flatMap(([name, rule]): (readonly [string, Rule])[] => {
      const call: Rule = ofCollection((collection) => rule(presentOf(collection), Number.NaN));
      return [
        [name, call],
        [`C${name}`, call],
      ];
    }),
  ),
  CFIRST: ofCollection((collection) => inOrder(collection).find((element) => element !== null) ?? null),
  CLAST: ofCollection((collection) => inOrder(collection).findLast((element) => element !== null) ?? null),
  EXISTS: ofCollection((collection) => elementsOf(collection).length > 0),
  DISTINCT: ofCollection((collection) => ordered(distinct(elementsOf(collection)))),
  SORT: ofCollection((collection) => ordered(elementsOf(collection).toSorted(compareKeys))),
  REVERSE: ([value = null]) =>
    typeof value === 'string'
      ? [...value].toReversed().join('')
      : { kind: 'collection', blocks: (value as CollectionValue).blocks.toReversed() },
  GET: ([target = null, key = null], { shape, arguments: [written] }) => {
    if (typeof target !== 'object' || target?.kind !== 'record') return elementAt(target, key);
    return convert(target.values[fieldsOf(written).findIndex(({ name }) => name === key)] ?? null, shape);
  },
  TAKE: ([collection, count]) => ordered(inOrder(collection as CollectionValue).slice(0, atLeastZero(count))),
  DROP: ([collection, count]) => ordered(inOrder(collection as CollectionValue).slice(atLeastZero(count))),
  CONTAINS: ([whole = null, sought = null]) =>
    typeof whole === 'string'
      ? whole.includes(textOf(sought))
      : presentOf(whole as CollectionValue).some((element) => compareInside(element, sought) === 0),
  RANGE: ([from, to, step]) => rangeOf(Number(from), Number(to), Number(step ?? 1n)),
  ZIP: (collections) => {
    const parts = collections.map((part) => inOrder(part as CollectionValue));
    const least = Math.min(...parts.map((part) => part.length));
    return ordered(Array.from({ length: least }, (_, i) => ({ kind: 'record', values: parts.map((part) => part[i] ?? null) })));
  },
  TO_JSON: ([value = null], { arguments: [written] }) => jsonText(value, written?.shape ?? 'unknown'),
  FIELDS: (_, { arguments: [record] }) => ordered(fieldsOf(record).map(({ name }) => name)),
  ENTRIES: ([record = null], { arguments: [written] }) =>
    ordered(
      fieldsOf(written).map(({ name }, i) => ({
        kind: 'record',
        values: [name, typeof record === 'object' && record?.kind === 'record' ? (record.values[i] ?? null) : null],
      })),
    ),
  FLATTEN: ofCollection((collection) => ({
    kind: 'collection',
    blocks: collection.blocks.flatMap((block) => {
      const parts = block.flatMap((part) => (part === null ? [] : (part as CollectionValue).blocks));
      return block.length > 1 ? [parts.flat()] : parts;
    }),
  })),
};

function atLeastZero(count: Value | undefined): number {
  const number = Number(count);
  return Math.max(0, Math.min(number, 1_000_000));
}

function fieldsOf(term: Term | undefined): readonly { readonly name: string }[] {
  return typeof term?.shape === 'object' && term.shape.kind === 'record' ? term.shape.fields : [];
}

function rangeOf(from: number, to: number, step: number): Value {
  const found: Value[] = [];
  for (let n = from; step > 0 ? n < to : n > to; n += step) found.push(BigInt(n));
  return ordered(found);
}
