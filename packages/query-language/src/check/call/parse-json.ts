import type { Plan } from '../../plan/plan.ts';
import type { Argument, CallExpression, TypedCallExpression } from '../../syntax/ast.ts';
import type { Span } from '../../text/span.ts';
import type { Type } from '../../types/type.ts';
import { anyType, bool, castKind, notNullable, nullable, printType, string } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, placeOf, report } from '../check-context.ts';
import { nullOf } from '../condition.ts';
import { expectType, letIn, mayBeNull } from '../convert.ts';
import { checkValue } from '../expression.ts';
import { isFaulty } from '../operand.ts';
import type { Scope } from '../scope.ts';

/** `PARSE_JSON(s)`: what the text holds, as `any`. */
export function checkParseJson(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  return parseJson(context, node, { scope, asType: nullable(anyType) });
}

/** `TRY_PARSE_JSON(s)`: NULL where that fails. */
export function checkTryParseJson(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  return attempted(context, node, checkParseJson(context, node, scope));
}

/** `[TRY_]PARSE_JSON(s AS type)`: what the text holds, cast to the type. */
export function checkTypedParseJson(context: CheckContext, node: TypedCallExpression, asType: Type, scope: Scope): Plan {
  const parsed = parseJson(context, node, { scope, asType });
  return node.callee.text.toUpperCase() === 'TRY_PARSE_JSON' ? attempted(context, node, parsed) : parsed;
}

function attempted(context: CheckContext, node: { readonly span: Span }, operand: Plan): Plan {
  return isFaulty(operand) ? operand : { kind: 'Try', type: nullable(operand.type), span: placeOf(context, node.span), operand };
}

interface Wanted {
  readonly scope: Scope;
  readonly asType: Type;
}

function parseJson(
  context: CheckContext,
  node: { readonly span: Span; readonly arguments: readonly Argument[]; readonly callee: { readonly span: Span } },
  { scope, asType }: Wanted,
): Plan {
  const [argument, another] = node.arguments;
  if (argument === undefined || another !== undefined)
    return report(context, 'argument-count', node.callee.span, '1', node.arguments.length);
  if (argument.name !== null) return report(context, 'unknown-argument', argument.name.span, argument.name.text);
  const given = checkValue(context, argument.value, scope);
  const text = expectType(context, given, mayBeNull(given) ? nullable(string) : string, argument.value.span);
  if (isFaulty(text) || asType.kind === 'ErrorType') return errorPlan(node.span);
  if (castKind(anyType, asType) === 'impossible')
    return report(context, 'impossible-cast', node.span, printType(anyType), printType(asType));
  const span = placeOf(context, node.span);
  return letIn(context, text, (use) => {
    const value = cast(parsed(use, span), asType, span);
    if (!mayBeNull(use) || mayBeNull(value)) return value;
    const type = nullable(asType);
    const isNull: Plan = { kind: 'IsNull', type: bool, span, operand: use };
    return { kind: 'Case', type, span, branches: [{ when: isNull, then: nullOf(type, span) }], otherwise: value };
  });
}

function parsed(text: Plan, span: Span): Plan {
  return {
    kind: 'Call',
    type: nullable(anyType),
    span,
    function: 'PARSE_JSON',
    overload: '(text: string) -> any nullable',
    arguments: [text],
  };
}

/** JSON's null is NULL, which only a nullable type takes. */
function cast(json: Plan, type: Type, span: Span): Plan {
  if (type.kind === 'AnyType' && type.isNullable) return json;
  const value: Plan = type.kind === 'AnyType' ? json : { kind: 'Cast', type: nullable(type), span, operand: json, isTry: false };
  if (type.kind !== 'ErrorType' && type.isNullable) return value;
  const message: Plan = { kind: 'Constant', type: string, span, value: `expected ${printType(type)} but got null` };
  const fails: Plan = { kind: 'Call', type, span, function: 'ERROR', overload: '(message: string) -> any', arguments: [message] };
  return { kind: 'Coalesce', type: notNullable(type), span, operands: [value, fails] };
}
