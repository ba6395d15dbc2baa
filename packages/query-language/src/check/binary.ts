import { assertNever } from '../assert-never.ts';
import type { Plan } from '../plan/plan.ts';
import type { BinaryExpression, BinaryOperator, Expression } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import { bool } from '../types/types.ts';
import { checkArithmetic, checkConcatenation } from './arithmetic.ts';
import type { CheckContext } from './check-context.ts';
import { placeOf } from './check-context.ts';
import { checkValue } from './check-value.ts';
import { compareOrAdvise } from './comparison.ts';
import { boolOf, expectOperand } from './convert.ts';
import { errorPlan, isFaulty } from './operand.ts';
import { checkQuantified } from './quantified.ts';
import { quotedField } from './quoted-field.ts';
import { appendRecords, updateRecord } from './record.ts';
import type { Scope } from './scope.ts';

/** Checks a binary operator. Chains lean to the left and may be long, so the left spine is walked in a loop. */
export function checkBinary(context: CheckContext, node: BinaryExpression, scope: Scope): Plan {
  const spine: BinaryExpression[] = [node];
  let leftmost: Expression = node.left;
  while (leftmost.kind === 'BinaryExpression') {
    spine.push(leftmost);
    leftmost = leftmost.left;
  }
  spine.reverse();
  let plan = checkValue(context, leftmost, scope);
  for (let i = 0; i < spine.length;) {
    const run = runFrom(spine, i);
    plan = checkRun(context, run, plan, scope);
    i += run.length;
  }
  return plan;
}

/** Operators whose chain becomes one n-ary node. Building it pairwise would take quadratic time. */
const CHAINED: ReadonlySet<BinaryOperator> = new Set(['AND', 'OR', '||']);

/** The operations from one on that make one node. */
function runFrom(spine: readonly BinaryExpression[], start: number): readonly BinaryExpression[] {
  const operator = spine[start]?.operator;
  let end = start + 1;
  if (operator !== undefined && CHAINED.has(operator)) while (spine[end]?.operator === operator) end += 1;
  return spine.slice(start, end);
}

const COMPARISONS: ReadonlySet<BinaryOperator> = new Set(['=', '<>', '<', '<=', '>', '>=']);

function checkRun(context: CheckContext, run: readonly BinaryExpression[], left: Plan, scope: Scope): Plan {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a run has an operation');
  const rights = function* (): Generator<{ readonly plan: Plan; readonly span: Span }> {
    yield { plan: left, span: first.left.span };
    for (const { right } of run) yield { plan: checkValue(context, right, scope), span: right.span };
  };
  const { operator, span } = last;
  if (operator === 'AND' || operator === 'OR') return checkLogical(context, operator === 'OR' ? 'or' : 'and', span, rights());
  if (operator === '||')
    return checkConcatenation(
      context,
      span,
      [first.left, ...run.map(({ right }) => right)],
      [...rights()].map(({ plan }) => plan),
    );
  const quantified = COMPARISONS.has(operator) ? checkQuantified(context, first, left, scope) : null;
  if (quantified !== null) return quantified;
  const right = checkValue(context, first.right, scope);
  const isOfConstants = COMPARISONS.has(operator) && left.kind === 'Constant' && right.kind === 'Constant';
  const quoted = isOfConstants ? (quotedField(context, first.left, scope) ?? quotedField(context, first.right, scope)) : null;
  return quoted ?? checkOneBinary(context, { ...first, operator }, left, right);
}

function checkOneBinary(
  context: CheckContext,
  node: BinaryExpression & { readonly operator: Exclude<BinaryOperator, 'AND' | 'OR' | '||'> },
  left: Plan,
  right: Plan,
): Plan {
  switch (node.operator) {
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compareOrAdvise(context, { ...node, operator: node.operator }, left, right);
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return checkArithmetic(context, { ...node, operator: node.operator }, left, right);
    case '++':
      return appendRecords(context, node, left, right);
    case '+++':
      return updateRecord(context, node, left, right);
    default:
      return assertNever(node.operator);
  }
}

/** Checks AND and OR; a chain of one operator becomes one node. Operands are checked in order. */
export function checkLogical(
  context: CheckContext,
  operator: 'and' | 'or',
  span: Span,
  operands: Iterable<{ readonly plan: Plan; readonly span: Span }>,
): Plan {
  const conditions = Array.from(operands, ({ plan, span: at }) => expectOperand(context, plan, bool, at));
  if (conditions.some(isFaulty)) return errorPlan(span);
  const flat = conditions.flatMap((condition) =>
    condition.kind === 'Logical' && condition.operator === operator ? condition.operands : [condition],
  );
  return { kind: 'Logical', type: boolOf(...flat), span: placeOf(context, span), operator, operands: flat };
}
