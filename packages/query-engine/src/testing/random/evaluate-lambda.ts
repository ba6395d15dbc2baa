import { evaluate, touch } from './evaluate.ts';
import type { Environment } from './environment.ts';
import { bind } from './environment.ts';
import { wholePart } from './decimal.ts';
import { asMoment, partOf } from './temporal.ts';
import { whole } from './numbers.ts';
import { sampler } from './sample.ts';
import type { Scalar, Shape } from './shape.ts';
import type { Cast, LambdaCall, Reduce, Term, Try } from './term.ts';
import type { CollectionValue, Value } from './value.ts';
import { convert, elementsOf, inOrder, RunTimeError, textOf, Unpromised } from './value.ts';

/** A built-in function that takes a lambda. */
export function evaluateLambdaCall(term: LambdaCall, environment: Environment): Value {
  const collection = evaluate(term.collection, environment);
  if (collection === null || typeof collection !== 'object' || collection.kind !== 'collection') return null;
  if (elementsOf(collection).length === 0) touch(term.body, environment);
  const call = (element: Value): Value => evaluate(term.body, bind(environment, [[term.parameter.id, element]]));
  const tested = (): readonly Value[] => elementsOf(collection).map(call);
  switch (term.name) {
    case 'TRANSFORM':
      return { kind: 'collection', blocks: collection.blocks.map((block) => block.map(call)) };
    case 'FILTER':
      return { kind: 'collection', blocks: collection.blocks.map((block) => block.filter((element) => call(element) === true)) };
    case 'ANY': {
      return tested().includes(true);
    }
    case 'ALL': {
      return !tested().includes(false);
    }
    case 'FIND_FIRST': {
      const blocks = collection.blocks.map((block) => block.filter((element) => call(element) === true));
      return inOrder({ kind: 'collection', blocks })[0] ?? null;
    }
  }
}

/** The function of the value so far and each element, in their order; NULLs reach it. */
export function evaluateReduce({ collection, start, sofar, element, body }: Reduce, environment: Environment): Value {
  const given = evaluate(collection, environment);
  if (given === null) {
    touch(start, environment);
    return null;
  }
  const elements = inOrder(given as CollectionValue);
  if (elements.length === 0) touch(body, environment);
  const step = (value: Value, next: Value): Value =>
    evaluate(
      body,
      bind(environment, [
        [sofar.id, value],
        [element.id, next],
      ]),
    );
  return elements.reduce(step, evaluate(start, environment));
}

/** `TRY(…)`: NULL where something in it fails; where that need not have been computed, it is open. */
export function evaluateTry({ operand }: Try, environment: Environment): Value {
  const { progress } = environment;
  const before = { ...progress };
  try {
    Object.assign(progress, { hasFailed: false, sample: null });
    const value = evaluate(operand, environment);
    if (progress.hasFailed) throw new Unpromised('a failure in TRY that nobody needs');
    return value;
  } catch (thrown) {
    if (!(thrown instanceof RunTimeError)) throw thrown;
    if (isSameWhatever(operand, environment)) throw new Unpromised('a failure in TRY that nobody needs');
    return null;
  } finally {
    Object.assign(progress, { hasFailed: before.hasFailed, sample: before.sample });
  }
}

/** Whether a value is the same whatever that was what failed in it. */
function isSameWhatever(term: Term, environment: Environment): boolean {
  const texts = Array.from({ length: SAMPLES_OF_TRY }, (_, seed) => {
    environment.progress.sample = sampler(seed);
    return JSON.stringify(evaluate(term, environment), (_name, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
  });
  return new Set(texts).size === 1;
}

const SAMPLES_OF_TRY = 8;

/** CAST and TRY_CAST between primitives. */
export function evaluateCast({ operand, shape, isTry }: Cast, environment: Environment): Value {
  const value = evaluate(operand, environment);
  if (value === null) return null;
  const made = castTo(shape, value);
  if (made === null && !isTry) throw new RunTimeError('cannot cast');
  return made;
}

function castTo(shape: Scalar, value: Value): Value {
  if (shape === 'string') return textOf(value);
  if (shape === 'date' || shape === 'time') return partOf(asMoment(value), shape);
  if (shape === 'bool') return value !== 0n;
  if (shape === 'float') return floatOf(value);
  if (shape === 'timestamp' || shape === 'decimal' || shape === 'double') return convert(value, shape);
  return wholeOf(typeof value === 'object' && value?.kind === 'decimal' ? wholePart(value) : value, shape);
}

/** A whole number; null where the value is none of the type. */
function wholeOf(value: Value, shape: Shape): Value {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  const number = typeof value === 'string' ? wholeOfText(value) : typeof value === 'number' ? wholeOfDouble(value) : value;
  if (typeof number !== 'bigint') return null;
  try {
    return whole(number, shape);
  } catch {
    return null;
  }
}

/** Null where a finite value is past what there is. */
function floatOf(value: Value): Value {
  const [from, to] = [Number(convert(value, 'double')), convert(value, 'float')];
  return Number.isFinite(from) && !Number.isFinite(to) ? null : to;
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
