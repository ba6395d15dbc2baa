import { evaluateBinary, evaluateComparison, isMember } from './evaluate-binary.ts';
import { callFunction } from './evaluate-call.ts';
import { evaluateCast, evaluateLambdaCall, evaluateReduce, evaluateTry } from './evaluate-lambda.ts';
import { evaluateLike } from './evaluate-like.ts';
import { evaluateWindow } from './evaluate-window.ts';
import { aggregateRows, evaluateSelect, rowOfStar } from './evaluate-select.ts';
import type { Environment } from './environment.ts';
import { bind, delayed, emptyEnvironment } from './environment.ts';
import { negate } from './numbers.ts';
import type { RandomProgram, Term, TermKind } from './term.ts';
import { commonShape } from './shape.ts';
import { outermostTerms, partsOf, usesVariables } from './uses-variables.ts';
import type { Value } from './value.ts';
import { convert, elementsOf, force, hasFailure, inOrder, isFailure, ordered, RunTimeError, Unpromised } from './value.ts';

/** What a program must do: give a value, fail, either of both, or what the language leaves open. */
export type Expectation =
  | { readonly kind: 'value'; readonly value: Value; readonly mayFail: boolean }
  | { readonly kind: 'failure'; readonly message: string }
  | { readonly kind: 'open'; readonly reason: string };

/** Evaluates a program as the language page says it, one step after the other; `tables` are the values of free names. */
export function evaluateProgram(program: RandomProgram, tables: ReadonlyMap<number, Value>): Expectation {
  const environment = emptyEnvironment();
  try {
    const declared = new Map<number, Value | (() => Value)>(tables);
    const inner: Environment = { ...environment, values: declared };
    for (const declaration of program.declarations) {
      if (declaration.kind === 'data')
        declared.set(
          declaration.id,
          once(() => delayed(inner, () => evaluate(declaration.value, inner))),
        );
    }
    const value = force(evaluate(program.result, inner));
    if (hasFailure(value)) return { kind: 'failure', message: 'in the result' };
    return { kind: 'value', value, mayFail: environment.progress.hasFailed };
  } catch (thrown) {
    if (thrown instanceof RunTimeError) return { kind: 'failure', message: thrown.message };
    if (thrown instanceof Unpromised) return { kind: 'open', reason: thrown.message };
    throw thrown;
  }
}

function once(compute: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => (known ??= { value: compute() }).value;
}

class UnboundVariable extends Error {}

type Rule<Kind extends TermKind> = (term: Extract<Term, { readonly kind: Kind }>, environment: Environment) => Value;

/** One rule for each kind of node. Throws where the value itself fails; a part of a value may be a failure. */
const RULES: { readonly [Kind in TermKind]: Rule<Kind> } = {
  literal: (term) => term.value,
  null: () => null,
  variable: (term, environment) => lookUp(environment, term.id),
  key: (term, environment) => lookUp(environment, term.id),
  'item-name': (term, environment) => lookUp(environment, itemId(term.select, term.index)),
  field: (term, environment) => fieldOf(evaluate(term.target, environment), term.index),
  merged: ({ parts, shape }, environment) => {
    const values = parts.map((part) => force(evaluate(part, environment)));
    return convert(values.find((value) => value !== null) ?? null, shape);
  },
  unary: (term, environment) => {
    const operand = force(evaluate(term.operand, environment));
    if (operand === null) return null;
    return term.operator === 'NOT' ? operand === false : negate(operand, term.shape);
  },
  binary: evaluateBinary,
  'is-null': (term, environment) => {
    const operand = delayed(environment, () => evaluate(term.operand, environment));
    // What cannot be NULL need not be computed to know that it is not.
    return (isNeverNull(term.operand) ? false : force(operand) === null) !== term.isNegated;
  },
  between: (term, environment) => {
    const shape = [term.low.shape, term.high.shape].reduce(commonShape, term.operand.shape);
    const [operand, low, high] = [term.operand, term.low, term.high].map((part) =>
      convert(
        delayed(environment, () => evaluate(part, environment)),
        shape,
      ),
    );
    const side = (operator: '<=' | '>=', bound: Value): Value => evaluateComparison(operator, operand ?? null, bound);
    const from = delayed(environment, () => side('>=', low ?? null));
    const to = delayed(environment, () => side('<=', high ?? null));
    // Where one side decides, nobody needs the other.
    const both = from === false || to === false ? false : conjunction(force(from), force(to));
    return both === null ? null : both !== term.isNegated;
  },
  in: (term, environment) => {
    const found = isMember(term, environment);
    return found === null ? null : found !== term.isNegated;
  },
  if: (term, environment) => {
    const condition = delayed(environment, () => evaluate(term.condition, environment));
    if (condition === null) return null;
    // Where both branches are the same, nobody needs to know which is taken.
    const isSame = isFailure(condition) && isSameTerm(term.consequent, term.alternate);
    const isTaken = isSame || force(condition) === true;
    return convert(evaluate(isTaken ? term.consequent : term.alternate, environment), term.shape);
  },
  case: (term, environment) => {
    const value = delayed(environment, () => evaluateCase(term, environment));
    if (!isFailure(value)) return value;
    // Where all branches that there can be are the same, nobody needs to know which is taken.
    const possible = term.branches.filter(({ when }) => !isClosed(when, environment, (tested) => tested === null)).map(({ then }) => then);
    const isSame = possible.every((result) => term.alternate !== null && isSameTerm(result, term.alternate));
    return isSame && term.alternate !== null ? convert(evaluate(term.alternate, environment), term.shape) : value;
  },
  call: callFunction,
  record: (term, environment) => ({
    kind: 'record',
    values: term.values.map((value) => delayed(environment, () => evaluate(value, environment))),
  }),
  collection: (term, environment) =>
    ordered(
      term.elements.map((element) =>
        convert(
          delayed(environment, () => evaluate(element, environment)),
          term.shape.element,
        ),
      ),
    ),
  index: (term, environment) => {
    const index = delayed(environment, () => evaluate(term.index, environment));
    const target = delayed(environment, () => evaluate(term.target, environment));
    const isNowhere = index === null || (typeof index === 'bigint' && index < 0n);
    return target === null || isNowhere ? null : elementAt(target, index);
  },
  exclude: (term, environment) => {
    const operand = force(evaluate(term.operand, environment));
    if (operand === null || typeof operand !== 'object' || operand.kind !== 'record') return null;
    return { kind: 'record', values: term.kept.map((place) => operand.values[place] ?? null) };
  },
  into: (term, environment) => {
    const given = delayed(environment, () => evaluate(term.operand, environment));
    // What is not NULL and not used need not be computed.
    const isUnused = isNeverNull(term.operand) && term.shape.kind === 'record' && !usesVariables(term.record, new Set([term.id]));
    if (isFailure(given) && isUnused) return evaluate(term.record, environment);
    const operand = force(given);
    const make = (row: Value): Value => (force(row) === null ? null : evaluate(term.record, bind(environment, [[term.id, row]])));
    if (operand === null || typeof operand !== 'object' || operand.kind === 'record') return make(operand);
    if (elementsOf(operand).length === 0) touch(term.record, environment);
    return { kind: 'collection', blocks: operand.blocks.map((block) => block.map((row) => delayed(environment, () => make(row)))) };
  },
  'declared-call': (term, environment) => {
    const { parameters, body } = term.function;
    const given = parameters.map(({ shape }, i) => {
      const argument = term.arguments[i];
      return delayed(environment, () => (argument === undefined ? null : convert(evaluate(argument, environment), shape)));
    });
    if (parameters.some(({ isNullable }, i) => !isNullable && given[i] === null)) return null;
    for (const [i, { isNullable }] of parameters.entries()) if (!isNullable) force(given[i] ?? null);
    return evaluate(
      body,
      bind(
        environment,
        parameters.map(({ id }, i) => [id, given[i] ?? null] as const),
      ),
    );
  },
  aggregate: aggregateRows,
  window: evaluateWindow,
  'lambda-call': evaluateLambdaCall,
  like: evaluateLike,
  reduce: evaluateReduce,
  try: evaluateTry,
  cast: evaluateCast,
  star: (term, environment) => {
    if (!term.isGroup) return rowOfStar(term.select, environment);
    const rows = environment.groups.get(term.select.id) ?? [];
    return { kind: 'collection', blocks: rows.map((block) => block.map((row) => rowOfStar(term.select, row))) };
  },
  select: evaluateSelect,
};

/** The value of an expression; may be a failure where a name stands for one. */
export function evaluate(term: Term, environment: Environment): Value {
  environment.progress.stepsLeft -= 1;
  if (environment.progress.stepsLeft < 0) throw new Unpromised('too long');
  const rule = RULES[term.kind] as Rule<TermKind>;
  return rule(term, environment);
}

function isSameTerm(a: Term, b: Term): boolean {
  const text = (term: Term): string => JSON.stringify(term, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  return text(a) === text(b);
}

function evaluateCase(term: Extract<Term, { readonly kind: 'case' }>, environment: Environment): Value {
  const operand = term.operand === null ? true : force(evaluate(term.operand, environment));
  for (const { when, then } of term.branches) {
    const shape = term.operand === null ? 'bool' : commonShape(term.operand.shape, when.shape);
    const tested = term.operand === null ? evaluate(when, environment) : delayed(environment, () => evaluate(when, environment));
    if (evaluateComparison('=', convert(operand, shape), convert(tested, shape)) === true)
      return convert(evaluate(then, environment), term.shape);
  }
  return term.alternate === null ? null : convert(evaluate(term.alternate, environment), term.shape);
}

const NULL_OF_NULL_ALONE: ReadonlySet<string> = new Set([
  ...['UPPER', 'LOWER', 'ABS', 'LEN', 'GREATEST', 'LEAST', 'EXISTS', 'CCOUNT'],
  ...['DISTINCT', 'SORT', 'REVERSE', 'TAKE', 'DROP', 'FLATTEN'],
]);

/** Whether the type of an expression tells that it is not NULL; FALSE where it takes more than a look. */
function isNeverNull(term: Term): boolean {
  if (term.kind === 'unary') return isNeverNull(term.operand);
  if (term.kind === 'binary') return isNeverNull(term.left) && isNeverNull(term.right);
  if (term.kind === 'if') return [term.condition, term.consequent, term.alternate].every(isNeverNull);
  if (term.kind === 'case') return term.alternate !== null && [...term.branches.map(({ then }) => then), term.alternate].every(isNeverNull);
  if (term.kind === 'exclude') return isNeverNull(term.operand);
  if (term.kind === 'select') return !term.isSingle;
  if (term.kind === 'call') return NULL_OF_NULL_ALONE.has(term.name) && term.arguments.every(isNeverNull);
  if (term.kind === 'declared-call') return isNeverNull(term.function.body) && term.arguments.every(isNeverNull);
  return term.kind === 'is-null' || term.kind === 'literal' || term.kind === 'record' || term.kind === 'collection';
}

/**
 * Looks at terms that no row asks for: what in them uses nothing of a row may be computed all the same, once for all rows,
 * and fail.
 */
export function touch(terms: unknown, environment: Environment): void {
  for (const term of outermostTerms(terms, ({ kind }) => typeof kind === 'string' && kind in RULES)) {
    try {
      delayed(environment, () => evaluate(term as unknown as Term, environment));
    } catch (thrown) {
      if (!(thrown instanceof UnboundVariable)) throw thrown;
      touch(partsOf(term), environment);
    }
  }
}

/** Whether an expression uses nothing of a row, and has such a value; FALSE where it fails. */
export function isClosed(term: Term, environment: Environment, isSuch: (value: Value) => boolean): boolean {
  try {
    return isSuch(force(evaluate(term, environment)));
  } catch (thrown) {
    if (thrown instanceof UnboundVariable || thrown instanceof RunTimeError) return false;
    throw thrown;
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
  const target = force(value);
  if (target === null || typeof target !== 'object') return null;
  if (target.kind === 'record') return target.values[index] ?? null;
  return { kind: 'collection', blocks: target.blocks.map((block) => block.map((element) => fieldOf(element, index))) };
}

/** The element from 0, NULL outside. */
export function elementAt(collection: Value, index: Value): Value {
  const [target, place] = [force(collection), force(index)];
  if (target === null || place === null || typeof target !== 'object' || target.kind !== 'collection') return null;
  if (typeof place !== 'bigint' || place < 0n || place >= BigInt(elementsOf(target).length)) return null;
  return inOrder(target)[Number(place)] ?? null;
}

/** AND of two truth values. */
export function conjunction(left: Value, right: Value): Value {
  if (left === false || right === false) return false;
  return left === null || right === null ? null : true;
}
