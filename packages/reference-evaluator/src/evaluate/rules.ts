import type { Term, TermKind } from '../program/term.ts';
import { usesVariables } from '../program/tree.ts';
import { conjunction, evaluateComparison } from '../values/comparison.ts';
import { convert } from '../values/convert.ts';
import { negate } from '../values/numbers.ts';
import { elementAt } from '../values/order.ts';
import { commonShape } from '../values/shape.ts';
import type { CollectionValue, Value } from '../values/value.ts';
import { elementsOf, ordered } from '../values/value.ts';
import { aggregateRows } from './aggregate-rows.ts';
import { evaluateBinary, isMember } from './binary.ts';
import { callFunction } from './call.ts';
import { evaluateCast, evaluateTrip } from './casts.ts';
import { evaluateChain } from './chain.ts';
import { declaredValue, once } from './declared.ts';
import type { Environment, Rule } from './environment.ts';
import { bind, evaluate, itemId, leftOutId, lookUp } from './environment.ts';
import { evaluateLambdaCall, evaluateReduce, evaluateTry } from './lambda.ts';
import { evaluateLike } from './like.ts';
import { evaluateSelect, rowOfStar } from './select.ts';
import { parseAll } from './text-functions.ts';
import { attempt, touch, touchBranches } from './touch.ts';
import { evaluateWindow } from './window.ts';

/** Evaluation rule of each kind of node. */
export const RULES: { readonly [Kind in TermKind]: Rule<Kind> } = {
  literal: (term) => term.value,
  null: () => null,
  variable: (term, environment) => lookUp(environment, term.id),
  key: (term, environment) => lookUp(environment, term.id),
  grouping: ({ keys }, environment) =>
    keys.reduce((bits, { id }) => bits * 2n + (lookUp(environment, leftOutId(id)) === true ? 1n : 0n), 0n),
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
    const value = once(() => declaredValue(declaration, environment));
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

function fieldOf(value: Value, index: number): Value {
  const target = value;
  if (target === null || typeof target !== 'object') return null;
  if (target.kind === 'record') return target.values[index] ?? null;
  if (target.kind !== 'collection') throw new Error('no fields');
  return { kind: 'collection', blocks: target.blocks.map((block) => block.map((element) => fieldOf(element, index))) };
}
