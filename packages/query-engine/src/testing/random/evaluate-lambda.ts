import { evaluate, isClosed, touch } from './evaluate.ts';
import type { Environment } from './environment.ts';
import { bind, delayed } from './environment.ts';
import { whole } from './numbers.ts';
import type { Shape } from './shape.ts';
import type { Cast, LambdaCall, Reduce, Try } from './term.ts';
import type { CollectionValue, Value } from './value.ts';
import { elementsOf, force, hasFailure, inOrder, isFailure, ordered, RunTimeError, textOf, Unpromised } from './value.ts';

/** A built-in function that takes a lambda. */
export function evaluateLambdaCall(term: LambdaCall, environment: Environment): Value {
  const given = delayed(environment, () => evaluate(term.collection, environment));
  if (isFailure(given)) {
    const decided = valueOfAnyElements(term, environment);
    if (decided !== undefined) return decided;
  }
  const collection = force(given);
  if (collection === null || typeof collection !== 'object' || collection.kind !== 'collection') return null;
  if (elementsOf(collection).length === 0) touch(term.body, environment);
  const call = (element: Value): Value =>
    delayed(environment, () => evaluate(term.body, bind(environment, [[term.parameter.id, element]])));
  const tested = (): readonly Value[] => elementsOf(collection).map(call);
  switch (term.name) {
    case 'TRANSFORM':
      return { kind: 'collection', blocks: collection.blocks.map((block) => block.map(call)) };
    case 'FILTER':
      return { kind: 'collection', blocks: collection.blocks.map((block) => block.filter((element) => force(call(element)) === true)) };
    case 'ANY': {
      const results = tested();
      return results.includes(true) || results.map(force).includes(true);
    }
    case 'ALL': {
      const results = tested();
      return !results.includes(false) && !results.map(force).includes(false);
    }
    case 'FIND_FIRST': {
      const results = tested();
      const blocks = collection.blocks.map((block) => block.filter((element) => call(element) === true));
      if (results.some(isFailure)) results.slice(0, results.indexOf(true) + 1 || results.length).forEach(force);
      return inOrder({ kind: 'collection', blocks })[0] ?? null;
    }
  }
}

/** The function of the value so far and each element, in their order; NULLs reach it. */
export function evaluateReduce({ collection, start, sofar, element, body }: Reduce, environment: Environment): Value {
  const given = delayed(environment, () => evaluate(collection, environment));
  if (given === null) return null;
  const elements = inOrder(force(given) as CollectionValue);
  if (elements.length === 0) touch(body, environment);
  let value = delayed(environment, () => evaluate(start, environment));
  for (const next of elements) {
    const bindings = [
      [sofar.id, value],
      [element.id, next],
    ] as const;
    value = delayed(environment, () => evaluate(body, bind(environment, bindings)));
  }
  return force(value);
}

/** What comes out whatever the elements are, which nobody needs then; undefined where it depends on them. */
function valueOfAnyElements({ name, body, parameter, collection }: LambdaCall, environment: Environment): Value | undefined {
  const item = collection.kind === 'select' && collection.items.length === 1 ? collection.items[0] : undefined;
  const inner = item === undefined ? environment : bind(environment, [[parameter.id, () => evaluate(item.value, environment)]]);
  const isNeverTrue = isClosed(body, inner, (value) => value !== true);
  const isNeverFalse = isClosed(body, inner, (value) => value !== false);
  if (name === 'FILTER' && isNeverTrue) return ordered([]);
  if (name === 'FIND_FIRST' && isNeverTrue) return null;
  if (name === 'ANY' && isNeverTrue) return false;
  return name === 'ALL' && isNeverFalse ? true : undefined;
}

/** `TRY(…)`: NULL where something in it fails; where that need not have been computed, it is open. */
export function evaluateTry({ operand }: Try, environment: Environment): Value {
  const { progress } = environment;
  const before = progress.hasFailed;
  progress.hasFailed = false;
  const value = delayed(environment, () => evaluate(operand, environment));
  const hasFailed = progress.hasFailed;
  progress.hasFailed = before;
  if (hasFailure(value)) return null;
  if (hasFailed) throw new Unpromised('a failure in TRY that nobody needs');
  return value;
}

/** CAST and TRY_CAST between primitives. */
export function evaluateCast({ operand, shape, isTry }: Cast, environment: Environment): Value {
  const value = force(evaluate(operand, environment));
  if (value === null) return null;
  const made = shape === 'string' ? textOf(value) : wholeOf(value, shape);
  if (made === null && !isTry) throw new RunTimeError('cannot cast');
  return made;
}

/** A whole number; null where the value is none of the type. */
function wholeOf(value: Value, shape: Shape): Value {
  const number = typeof value === 'string' ? wholeOfText(value) : typeof value === 'number' ? wholeOfDouble(value) : value;
  if (typeof number !== 'bigint') return null;
  try {
    return whole(number, shape);
  } catch {
    return null;
  }
}

function wholeOfDouble(value: number): bigint | null {
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : null;
}

/** The engine reads more forms of numbers than these. */
function wholeOfText(value: string): bigint | null {
  const text = value.trim();
  if (/^-?\d+$/.test(text)) return BigInt(text);
  if (/\d/.test(text)) throw new Unpromised('forms of numbers in text');
  return null;
}
