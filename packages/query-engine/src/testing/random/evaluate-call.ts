import { distinct } from './evaluate-binary.ts';
import { elementAt, evaluate } from './evaluate.ts';
import type { Environment } from './environment.ts';
import { asDecimal } from './decimal.ts';
import { asMoment, lastDayOf, partOfMoment, startOf } from './temporal.ts';
import { mean, sum, whole } from './numbers.ts';
import type { Shape } from './shape.ts';
import type { Term } from './term.ts';
import { commonShape } from './shape.ts';
import type { CollectionValue, Value } from './value.ts';
import { compareInside, compareKeys, convert, elementsOf, inOrder, ordered, textOf } from './value.ts';

type Call = Extract<Term, { readonly kind: 'call' }>;

/** A call of a built-in function. */
export function callFunction(term: Call, environment: Environment): Value {
  const lazy = LAZY[term.name];
  if (lazy !== undefined) return lazy(term, environment);
  const args = term.arguments.map((argument) => evaluate(argument, environment));
  if (args.includes(null)) return null;
  const rule = FUNCTIONS[term.name];
  if (rule === undefined) throw new Error(`there is no function ${term.name}`);
  return rule(args, term);
}

/** Functions that evaluate only what they need, or see NULL. */
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

type Rule = (args: readonly Value[], term: Call) => Value;

const ofText =
  (rule: (text: string) => Value): Rule =>
  ([text]) =>
    rule(textOf(text ?? null));
const ofCollection =
  (rule: (collection: CollectionValue, shape: Shape) => Value): Rule =>
  ([collection], { shape }) =>
    rule(collection as CollectionValue, shape);
const presentOf = (collection: CollectionValue): readonly Value[] => elementsOf(collection).filter((element) => element !== null);
const extreme = (sign: number) => (collection: CollectionValue) =>
  presentOf(collection).reduce<Value>((best, value) => (best === null || sign * compareInside(value, best) > 0 ? value : best), null);
const abs = (n: bigint): bigint => (n < 0n ? -n : n);
const length = (n: number): bigint => BigInt(n);

/** Functions that are NULL where an argument is NULL. */
const FUNCTIONS: Readonly<Record<string, Rule>> = {
  UPPER: ofText((text) => text.toUpperCase()),
  LOWER: ofText((text) => text.toLowerCase()),
  TRIM: ofText((text) => text.trim()),
  LEFT: ([text, count]) => [...textOf(text ?? null)].slice(0, Number(count)).join(''),
  RIGHT: ([text, count]) => {
    const characters = [...textOf(text ?? null)];
    return characters.slice(Math.max(0, characters.length - Number(count))).join('');
  },
  SUBSTRING: ([text, from, count = -1n]) => {
    const rest = [...textOf(text ?? null)].slice(Number(from) - 1);
    return (Number(count) < 0 ? rest : rest.slice(0, Number(count))).join('');
  },
  REPLACE: ([text, what, by]) => textOf(text ?? null).replaceAll(textOf(what ?? null), () => textOf(by ?? null)),
  STARTS_WITH: ([text, start]) => textOf(text ?? null).startsWith(textOf(start ?? null)),
  ENDS_WITH: ([text, end]) => textOf(text ?? null).endsWith(textOf(end ?? null)),
  CONTAINS: ([text, what]) => textOf(text ?? null).includes(textOf(what ?? null)),
  CHARINDEX: ([what, text]) => {
    const place = textOf(text ?? null).indexOf(textOf(what ?? null));
    return BigInt(place < 0 ? 0 : [...textOf(text ?? null).slice(0, place)].length + 1);
  },
  ABS: ([x], { shape }) =>
    shape === 'decimal'
      ? { ...asDecimal(x ?? null), digits: abs(asDecimal(x ?? null).digits) }
      : typeof x === 'bigint'
        ? whole(abs(x), shape)
        : Math.abs(Number(x)),
  LEN: ([value]) => (typeof value === 'string' ? length([...value].length) : length(elementsOf(value as CollectionValue).length)),
  GREATEST: (args, { shape }) =>
    args
      .map((value) => convert(value, shape))
      .toSorted(compareInside)
      .at(-1) ?? null,
  LEAST: (args, { shape }) => args.map((value) => convert(value, shape)).toSorted(compareInside)[0] ?? null,
  CCOUNT: ofCollection((collection) => length(presentOf(collection).length)),
  CSUM: ofCollection((collection) => (presentOf(collection).length === 0 ? null : sum(presentOf(collection)))),
  CAVG: ofCollection((collection) => (presentOf(collection).length === 0 ? null : mean(presentOf(collection)))),
  CMIN: ofCollection(extreme(-1)),
  CMAX: ofCollection(extreme(1)),
  CFIRST: ofCollection((collection) => inOrder(collection).find((element) => element !== null) ?? null),
  CLAST: ofCollection((collection) => inOrder(collection).findLast((element) => element !== null) ?? null),
  EXISTS: ofCollection((collection) => elementsOf(collection).length > 0),
  DISTINCT: ofCollection((collection) => ordered(distinct(elementsOf(collection)))),
  SORT: ofCollection((collection) => ordered(elementsOf(collection).toSorted(compareKeys))),
  REVERSE: ofCollection((collection) => ({ kind: 'collection', blocks: collection.blocks.toReversed() })),
  GET: ([collection, index]) => elementAt(collection ?? null, index ?? null),
  TAKE: ([collection, count]) => ordered(inOrder(collection as CollectionValue).slice(0, atLeastZero(count))),
  DROP: ([collection, count]) => ordered(inOrder(collection as CollectionValue).slice(atLeastZero(count))),
  ...Object.fromEntries(
    ['YEAR', 'MONTH', 'DAY', 'QUARTER', 'DAY_OF_WEEK', 'DAY_OF_YEAR', 'HOUR', 'MINUTE', 'SECOND', 'MILLIS'].map((name) => [
      name,
      ([moment]: readonly Value[]) => partOfMoment(name, asMoment(moment)),
    ]),
  ),
  LAST_DAY: ([moment]) => lastDayOf(asMoment(moment)),
  TRUNC: ([unit, moment]) => startOf(textOf(unit ?? null), asMoment(moment)),
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
