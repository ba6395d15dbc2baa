import { evaluateBinary, evaluateComparison, isMember } from './evaluate-binary.ts';
import { callFunction } from './evaluate-call.ts';
import { evaluateCast, evaluateTrip } from './evaluate-casts.ts';
import { evaluateLambdaCall, evaluateReduce, evaluateTry } from './evaluate-lambda.ts';
import { evaluateChain } from './evaluate-chain.ts';
import { evaluateLike } from './evaluate-like.ts';
import { parseAll } from './evaluate-text.ts';
import { evaluateWindow } from './evaluate-window.ts';
import { aggregateRows, evaluateSelect, rowOfStar } from './evaluate-select.ts';
import type { Environment } from './environment.ts';
import { bind, attempt, emptyEnvironment } from './environment.ts';
import { negate } from './numbers.ts';
import type { Sampler } from './sample.ts';
import type { DataDeclaration, RandomProgram } from './program.ts';
import type { Term, TermKind } from './term.ts';
import { commonShape } from './shape.ts';
import { touchBranches } from './unguarded.ts';
import { boundValues, outermostTerms, partsOf, usesVariables } from './uses-variables.ts';
import type { CollectionValue, Value } from './value.ts';
import { convert, elementsOf, inOrder, ordered, RunTimeError, Unpromised } from './value.ts';

/** Expected outcome of a program: a value, a failure, either of both, or left open by the language. */
export type Expectation =
  | { readonly kind: 'value'; readonly value: Value; readonly mayFail: boolean }
  | { readonly kind: 'failure'; readonly message: string }
  | { readonly kind: 'open'; readonly reason: string };

/**
 * Evaluates a program as docs/language.md defines it, step by step, all parts except branches that are not taken. `tables`
 * are the values of free names. With a sampler nothing fails: a sample replaces each failing value.
 */
export function evaluateProgram(program: RandomProgram, tables: ReadonlyMap<number, Value>, sample: Sampler | null = null): Expectation {
  const environment = emptyEnvironment(sample);
  try {
    const declared = new Map<number, Value | (() => Value)>(tables);
    const inner: Environment = { ...environment, values: declared };
    for (const declaration of program.declarations) {
      if (declaration.kind === 'data')
        declared.set(
          declaration.id,
          once(() => valueOf(declaration, inner)),
        );
    }
    const value = evaluate(program.result, inner);
    touchDeclared(program, inner);
    return { kind: 'value', value, mayFail: environment.progress.hasFailed };
  } catch (thrown) {
    if (thrown instanceof RunTimeError) return { kind: 'failure', message: thrown.message };
    if (thrown instanceof Unpromised) return { kind: 'open', reason: thrown.message };
    throw thrown;
  }
}

/**
 * Evaluates declarations used only by branches that are not taken: the engine may evaluate them, since they are declared
 * outside of the branch.
 */
function touchDeclared({ declarations, result }: RandomProgram, environment: Environment): void {
  for (const declaration of declarations) {
    if (declaration.kind !== 'data' || !usesVariables([result, declarations], new Set([declaration.id]))) continue;
    attempt(environment, () => void lookUp(environment, declaration.id));
  }
}

/** A declared value, widened to the type that is written. */
function valueOf({ value, shape }: DataDeclaration, environment: Environment): Value {
  return convert(evaluate(value, environment), shape ?? value.shape);
}

function once(compute: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => (known ??= { value: compute() }).value;
}

/** A term uses a variable that is not bound in its environment. */
export class UnboundVariable extends Error {}

type Rule<Kind extends TermKind> = (term: Extract<Term, { readonly kind: Kind }>, environment: Environment) => Value;

/** Evaluation rule of each kind of node. */
const RULES: { readonly [Kind in TermKind]: Rule<Kind> } = {
  literal: (term) => term.value,
  null: () => null,
  variable: (term, environment) => lookUp(environment, term.id),
  key: (term, environment) => lookUp(environment, term.id),
  'item-name': (term, environment) => lookUp(environment, itemId(term.select, term.index)),
  field: (term, environment) => fieldOf(evaluate(term.target, environment), term.index),
  merged: ({ parts, shape }, environment) => {
    const values = parts.map((part) => evaluate(part, environment));
    return convert(values.find((value) => value !== null) ?? null, shape);
  },
  unary: (term, environment) => {
    const operand = evaluate(term.operand, environment);
    if (operand === null) return null;
    return term.operator === 'NOT' ? operand === false : negate(operand, term.shape);
  },
  binary: evaluateBinary,
  'is-null': (term, environment) => {
    return (evaluate(term.operand, environment) === null) !== term.isNegated;
  },
  between: (term, environment) => {
    const shape = [term.low.shape, term.high.shape].reduce(commonShape, term.operand.shape);
    const [operand, low, high] = [term.operand, term.low, term.high].map((part) => convert(evaluate(part, environment), shape));
    const side = (operator: '<=' | '>=', bound: Value): Value => evaluateComparison(operator, operand ?? null, bound);
    const both = conjunction(side('>=', low ?? null), side('<=', high ?? null));
    return both === null ? null : both !== term.isNegated;
  },
  in: (term, environment) => {
    const found = isMember(term, environment);
    return found === null ? null : found !== term.isNegated;
  },
  if: (term, environment) => {
    const condition = evaluate(term.condition, environment);
    touchBranches([term.consequent, term.alternate], environment);
    return condition === null ? null : convert(evaluate(condition === true ? term.consequent : term.alternate, environment), term.shape);
  },
  case: evaluateCase,
  call: callFunction,
  record: (term, environment) => ({
    kind: 'record',
    values: term.values.map((value) => evaluate(value, environment)),
  }),
  collection: (term, environment) => ordered(term.elements.map((element) => convert(evaluate(element, environment), term.shape.element))),
  index: (term, environment) => {
    const index = evaluate(term.index, environment);
    const target = evaluate(term.target, environment);
    return target === null || index === null ? null : elementAt(target, index);
  },
  exclude: (term, environment) => {
    const rest = (row: Value): Value =>
      typeof row === 'object' && row?.kind === 'record'
        ? { kind: 'record', values: term.kept.map((place) => row.values[place] ?? null) }
        : null;
    const operand = evaluate(term.operand, environment);
    if (typeof operand !== 'object' || operand?.kind !== 'collection') return rest(operand);
    return { kind: 'collection', blocks: operand.blocks.map((block) => block.map(rest)) };
  },
  into: (term, environment) => {
    const operand = evaluate(term.operand, environment);
    touchBranches(term.record, environment);
    const make = (row: Value): Value => (row === null ? null : evaluate(term.record, bind(environment, [[term.id, row]])));
    if (operand === null || typeof operand !== 'object' || operand.kind !== 'collection') return make(operand);
    if (elementsOf(operand).length === 0) touch(term.record, environment);
    return { kind: 'collection', blocks: operand.blocks.map((block) => block.map(make)) };
  },
  'declared-call': (term, environment) => {
    const { parameters, body } = term.function;
    const given = parameters.map(({ shape }, i) => {
      const argument = term.arguments[i] ?? parameters[i]?.default ?? null;
      return argument === null ? null : convert(evaluate(argument, environment), shape);
    });
    if (parameters.some(({ isNullable }, i) => !isNullable && given[i] === null)) return null;
    return evaluate(
      body,
      bind(
        environment,
        parameters.map(({ id }, i) => [id, given[i] ?? null] as const),
      ),
    );
  },
  block: ({ declaration, result }, environment) => {
    const value = once(() => valueOf(declaration, environment));
    const given = evaluate(result, bind(environment, [[declaration.id, value]]));
    if (usesVariables(result, new Set([declaration.id]))) attempt(environment, () => void value());
    return given;
  },
  aggregate: aggregateRows,
  window: evaluateWindow,
  'lambda-call': evaluateLambdaCall,
  like: evaluateLike,
  reduce: evaluateReduce,
  regex: ({ pattern }) => pattern,
  'parse-as': ({ operand, pattern, onFail }, environment) => {
    const texts = evaluate(operand, environment);
    return texts === null ? null : parseAll(texts as CollectionValue, pattern, onFail);
  },
  try: evaluateTry,
  cast: evaluateCast,
  trip: evaluateTrip,
  star: (term, environment) => {
    if (!term.isGroup) return rowOfStar(term.select, environment);
    const rows = environment.groups.get(term.select.id) ?? [];
    return { kind: 'collection', blocks: rows.map((block) => block.map((row) => rowOfStar(term.select, row))) };
  },
  'ordered-chain': evaluateChain,
  select: evaluateSelect,
};

/** Evaluates an expression. With a sampler it does not fail: a sample replaces a failing value. */
export function evaluate(term: Term, environment: Environment): Value {
  environment.progress.stepsLeft -= 1;
  if (environment.progress.stepsLeft < 0) throw new Unpromised('too long');
  const rule = RULES[term.kind] as Rule<TermKind>;
  try {
    return rule(term, environment);
  } catch (thrown) {
    if (environment.progress.sample === null || !(thrown instanceof RunTimeError)) throw thrown;
    return environment.progress.sample(term.shape);
  }
}

function evaluateCase(term: Extract<Term, { readonly kind: 'case' }>, environment: Environment): Value {
  touchBranches([term.branches, term.alternate], environment);
  const operand = term.operand === null ? true : evaluate(term.operand, environment);
  for (const { when, then } of term.branches) {
    const shape = term.operand === null ? 'bool' : commonShape(term.operand.shape, when.shape);
    const tested = evaluate(when, environment);
    if (evaluateComparison('=', convert(operand, shape), convert(tested, shape)) === true)
      return convert(evaluate(then, environment), term.shape);
  }
  return term.alternate === null ? null : convert(evaluate(term.alternate, environment), term.shape);
}

/** Evaluates the parts of unneeded terms that do not depend on a row: the engine may compute them once for all rows, and fail. */
export function touch(terms: unknown, environment: Environment): void {
  for (const term of outermostTerms(terms, ({ kind }) => typeof kind === 'string' && kind in RULES)) {
    try {
      attempt(environment, () => evaluate(term as unknown as Term, environment));
      touch(boundValues(term), environment);
    } catch (thrown) {
      if (!(thrown instanceof UnboundVariable)) throw thrown;
      touch(partsOf(term), environment);
      touchBounds(term, environment);
    }
  }
}

/** LIMIT and OFFSET use no row of their SELECT: the engine may check them for negative values even if there are no rows. */
function touchBounds({ kind, limit, offset }: Readonly<Record<string, unknown>>, environment: Environment): void {
  if (kind !== 'select' && kind !== 'ordered-chain') return;
  for (const bound of [limit, offset] as readonly (Term | null)[]) {
    try {
      attempt(environment, () => {
        const value = bound === null ? null : evaluate(bound, environment);
        if (typeof value === 'bigint' && value < 0n) throw new RunTimeError('negative LIMIT or OFFSET');
      });
    } catch (thrown) {
      if (!(thrown instanceof UnboundVariable)) throw thrown;
    }
  }
}

/** The number of the variable that an item of a SELECT is bound to in its ORDER BY; other variables have positive ones. */
export function itemId(select: number, index: number): number {
  return -(select * 100 + index + 1);
}

function lookUp(environment: Environment, id: number): Value {
  const found = environment.values.get(id);
  if (found === undefined) throw new UnboundVariable(`nothing is bound to variable ${id}`);
  return typeof found === 'function' ? found() : found;
}

function fieldOf(value: Value, index: number): Value {
  const target = value;
  if (target === null || typeof target !== 'object') return null;
  if (target.kind === 'record') return target.values[index] ?? null;
  if (target.kind !== 'collection') throw new Error('no fields');
  return { kind: 'collection', blocks: target.blocks.map((block) => block.map((element) => fieldOf(element, index))) };
}

/** The element from 0, NULL outside. */
export function elementAt(collection: Value, index: Value): Value {
  const [target, place] = [collection, index];
  if (target === null || place === null || typeof target !== 'object' || target.kind !== 'collection') return null;
  if (typeof place !== 'bigint' || place < 0n || place >= BigInt(elementsOf(target).length)) return null;
  return inOrder(target)[Number(place)] ?? null;
}

/** AND of two truth values. */
export function conjunction(left: Value, right: Value): Value {
  if (left === false || right === false) return false;
  return left === null || right === null ? null : true;
}
