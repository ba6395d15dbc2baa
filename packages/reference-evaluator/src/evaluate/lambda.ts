import type { LambdaCall, Reduce, Term, Try } from '../program/term.ts';
import { inOrder } from '../values/order.ts';
import type { CollectionValue, Value } from '../values/value.ts';
import { RunTimeError, Unpromised, elementsOf } from '../values/value.ts';
import type { Environment } from './environment.ts';
import { bind, evaluate } from './environment.ts';
import { sampler } from './sampler.ts';
import { touch } from './touch.ts';

/** Evaluates a built-in function that takes a lambda. */
export function evaluateLambdaCall(term: LambdaCall, environment: Environment): Value {
  const collection = evaluate(term.collection, environment);
  const isThere = collection !== null && typeof collection === 'object' && collection.kind === 'collection';
  // The engine may evaluate the parts of the body that do not depend on the element.
  if (!isThere || elementsOf(collection).length === 0) touch(term.body, environment);
  if (!isThere) return null;
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

/** `TRY(…)`: NULL if a part of it fails; open if that part need not have been computed. */
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

/** Returns whether a value is independent of the values substituted for what failed in it. */
function isSameWhatever(term: Term, environment: Environment): boolean {
  const texts = Array.from({ length: SAMPLES_OF_TRY }, (_, seed) => {
    environment.progress.sample = sampler(seed);
    return JSON.stringify(evaluate(term, environment), (_name, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
  });
  return new Set(texts).size === 1;
}

const SAMPLES_OF_TRY = 8;
