import { constant, not } from '../plan/build-plan.ts';
import type { Arithmetic, ArithmeticOperator, Plan } from '../plan/plan.ts';
import type { ArithmeticSign, BinaryExpression, BinaryOperator, Expression, UnaryExpression } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import { isNumericName } from '../types/numeric-types.ts';
import type { Type } from '../types/type.ts';
import { bool, interval, isPrimitive, notNullable, nullable, primitive, printType, string, timestamp, unify } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { placeOf, report } from './check-context.ts';
import { MAX_JOINED_CHARACTERS } from './constant-value.ts';
import { convertTo, expectOperand, mayBeNull, suggestionFor } from './convert.ts';
import { calculatedElements } from './element-advice.ts';
import { calculateLiterals } from './literal-arithmetic.ts';
import { errorPlan, isFaulty, isNullAlone } from './operand.ts';
import { temporalName } from './temporal-text.ts';

const ARITHMETIC: Readonly<Record<ArithmeticSign, ArithmeticOperator>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
};

/** A binary expression with one of some operators. */
type Binary<Operator extends BinaryOperator> = BinaryExpression & { readonly operator: Operator };

/** Checks `left op right` for `+ - * / %` over checked operands. */
export function checkArithmetic(context: CheckContext, node: Binary<ArithmeticSign>, left: Plan, right: Plan): Plan {
  if (isFaulty(left) || isFaulty(right)) return errorPlan(node.span);
  if (node.operator === '+' && [left, right].some(({ type }) => isPrimitive(type, 'string')))
    return checkConcatenation(context, node.span, [node.left, node.right], [left, right]);
  const operator = ARITHMETIC[node.operator];
  const sides = withTypedNull(operator, left, right);
  const temporal = temporalResult(operator, sides[0].type, sides[1].type);
  const span = placeOf(context, node.span);
  if (temporal !== null) return { kind: 'Arithmetic', type: nullableIf(temporal, left, right), span, operator, operands: sides };
  if (temporalName(left.type) !== null || temporalName(right.type) !== null)
    return report(
      context,
      'incompatible-types',
      [node.left.span, node.right.span],
      printType(left.type),
      printType(right.type),
      daysFor(left, right, node.right),
    );
  for (const [side, operand] of [
    [node.left, left],
    [node.right, right],
  ] as const) {
    if (!isNumeric(operand.type))
      return report(
        context,
        'not-numeric',
        side.span,
        node.operator,
        printType(operand.type),
        calculatedElements(node, side, operand.type) ?? suggestionFor(operand, null),
      );
  }
  const common = unify(left.type, right.type);
  if (common === null) throw new Error('numbers have a common type');
  const type = common.kind === 'AnyType' ? primitive('int') : notNullable(common);
  const exact = isPrimitive(type, 'double') ? calculateLiterals(context, operator, left, right) : null;
  if (exact !== null) return constant(type, exact, span);
  return {
    kind: 'Arithmetic',
    type: nullableIf(type, left, right),
    span,
    operator,
    operands: [convertTo(left, type), convertTo(right, type)],
  };
}

/** Suggests an interval in place of a number of days that is added to a date. */
function daysFor(left: Plan, right: Plan, written: Expression): string | null {
  const name = temporalName(left.type);
  if ((name !== 'date' && name !== 'timestamp') || !isInteger(right.type)) return null;
  if (written.kind !== 'NumberLiteral') return 'n * interval "1 day"';
  return `interval "${written.text} ${written.text === '1' ? 'day' : 'days'}"`;
}

/** Checks a chain of `||`, or `+` with a text. A query is no text, since in SQL it is the value of its row. */
export function checkConcatenation(context: CheckContext, span: Span, written: readonly Expression[], sides: readonly Plan[]): Plan {
  if (sides.some(isFaulty)) return errorPlan(span);
  const query = sides.find((side, i) => written[i]?.kind === 'SelectExpression' && suggestionFor(side, string) !== null);
  if (query !== undefined)
    return report(context, 'type-mismatch', query.span, 'string', printType(query.type), suggestionFor(query, string));
  const isOfCollections = sides.some(({ type }) => type.kind === 'CollectionType') && !sides.some(({ type }) => isText(type));
  return isOfCollections ? report(context, 'joined-collections', span) : concatenate(context, span, sides);
}

/** Casts a value to a text. */
export function asText(plan: Plan): Plan {
  if (isPrimitive(plan.type, 'string')) return plan;
  return { kind: 'Cast', type: mayBeNull(plan) ? nullable(string) : string, span: plan.span, operand: plan, isTry: false };
}

function isText(type: Type): boolean {
  return isPrimitive(type, 'string') || type.kind === 'AnyType';
}

/** Text of all sides, one behind the other; a chain becomes one node. */
function concatenate(context: CheckContext, at: Span, sides: readonly Plan[]): Plan {
  const operands = sides.flatMap((side, i) => {
    if (side.kind === 'Arithmetic' && side.operator === 'concatenate' && i === 0) return side.operands;
    return [asText(side)];
  });
  const folded = foldStrings(context, operands);
  const only = folded[0];
  if (folded.length === 1 && only !== undefined) return only;
  return {
    kind: 'Arithmetic',
    type: nullableIf(string, ...operands),
    span: placeOf(context, at),
    operator: 'concatenate',
    operands: folded,
  };
}

/** Concatenates adjacent constants: a location may be composed of constants. */
function foldStrings(context: CheckContext, operands: readonly Plan[]): readonly Plan[] {
  const folded: Plan[] = [];
  for (const operand of operands) {
    const last = folded.pop();
    const joined = last === undefined ? null : joinedConstant(context, last, operand);
    folded.push(...(joined !== null ? [joined] : last === undefined ? [operand] : [last, operand]));
  }
  return folded;
}

function joinedConstant(context: CheckContext, left: Plan, right: Plan): Plan | null {
  if (left.kind !== 'Constant' || right.kind !== 'Constant') return null;
  if (typeof left.value !== 'string' || typeof right.value !== 'string') return null;
  const value = left.value + right.value;
  if (value.length > MAX_JOINED_CHARACTERS) return null;
  const joined: Plan = { ...left, value };
  if (context.values.argumentUses.has(left) || context.values.argumentUses.has(right)) context.values.argumentUses.add(joined);
  return joined;
}

/** Types an untyped NULL beside a temporal operand: as an interval, or as a number that multiplies one. */
function withTypedNull(operator: ArithmeticOperator, left: Plan, right: Plan): readonly [Plan, Plan] {
  const typed = (plan: Plan, other: Plan): Plan => {
    if (!isNullAlone(plan) || temporalName(other.type) === null) return plan;
    const isTaken = operator === 'subtract' && plan === left && temporalName(other.type) !== 'interval';
    return convertTo(plan, nullable(operator === 'multiply' ? primitive('int') : isTaken ? notNullable(other.type) : interval));
  };
  return [typed(left, right), typed(right, left)];
}

/** Returns the type of temporal arithmetic, without NULL; null for other operands. */
function temporalResult(operator: ArithmeticOperator, left: Type, right: Type): Type | null {
  const [l, r] = [temporalName(left), temporalName(right)];
  if (operator === 'add') {
    if (r === 'interval' && l !== null) return l === 'date' ? timestamp : notNullable(left);
    if (l === 'interval' && r !== null) return r === 'date' ? timestamp : notNullable(right);
    if ((l === 'date' && r === 'time') || (l === 'time' && r === 'date')) return timestamp;
  }
  if (operator === 'subtract') {
    if (r === 'interval' && l !== null) return l === 'date' ? timestamp : notNullable(left);
    if ((l === 'timestamp' || l === 'date') && (r === 'timestamp' || r === 'date')) return interval;
    if (l === 'time' && r === 'time') return interval;
  }
  if (operator === 'multiply') {
    if (l === 'interval' && isInteger(right)) return interval;
    if (r === 'interval' && isInteger(left)) return interval;
  }
  return null;
}

/** Checks `- + NOT`; a minus in front of a number literal is part of the literal already. */
export function checkUnary(context: CheckContext, node: UnaryExpression, operand: Plan): Plan {
  if (isFaulty(operand)) return operand;
  const span = placeOf(context, node.span);
  if (node.operator === 'NOT') {
    const condition = expectOperand(context, operand, bool, node.operand.span);
    return isFaulty(condition) ? condition : not(condition, span);
  }
  const isInterval = temporalName(operand.type) === 'interval';
  if (!isNumeric(operand.type) && !isInterval)
    return report(context, 'not-numeric', node.operand.span, node.operator, printType(operand.type), suggestionFor(operand, null));
  if (node.operator === '+') return operand;
  const type = operand.type.kind === 'AnyType' ? nullable(primitive('int')) : operand.type;
  return { kind: 'Arithmetic', type, span, operator: 'negate', operands: [convertTo(operand, notNullable(type))] } satisfies Arithmetic;
}

function nullableIf(type: Type, ...operands: readonly Plan[]): Type {
  return operands.some(mayBeNull) ? nullable(type) : type;
}

function isNumeric(type: Type): boolean {
  return (type.kind === 'PrimitiveType' && isNumericName(type.name)) || (type.kind === 'AnyType' && type.isUndetermined);
}

function isInteger(type: Type): boolean {
  return isPrimitive(type, 'byte', 'short', 'int', 'long');
}
