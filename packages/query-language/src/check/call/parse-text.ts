import type { Plan } from '../../plan/plan.ts';
import type { Argument, CallExpression, TypedCallExpression } from '../../syntax/ast.ts';
import type { Span } from '../../text/span.ts';
import type { Type } from '../../types/type.ts';
import { anyType, bool, castKind, notNullable, nullable, printType, string, undeterminedNull } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, isFaulty } from '../operand.ts';
import { placeOf, report } from '../check-context.ts';
import { constant, failure, nullIfAnyNull, nullOf } from '../../plan/build-plan.ts';
import { foldConstant, usesArgument } from '../constant-value.ts';
import { expectOperand, mayBeNull } from '../convert.ts';
import { letIn } from '../bind.ts';
import type { TextAnswer, TextFormat } from '../environment.ts';
import { checkValue } from '../check-value.ts';
import type { Scope } from '../scope.ts';
import { parsedTypeProblem } from './parsed-type.ts';

interface Parser {
  readonly format: TextFormat;
  readonly isTry: boolean;
}

/** The functions that read a text, by name. */
export const TEXT_PARSERS: ReadonlyMap<string, Parser> = new Map(
  (['json', 'csv', 'xml'] as const).flatMap((format): [string, Parser][] => [
    [`PARSE_${format.toUpperCase()}`, { format, isTry: false }],
    [`TRY_PARSE_${format.toUpperCase()}`, { format, isTry: true }],
  ]),
);

interface ParseCall {
  readonly span: Span;
  readonly arguments: readonly Argument[];
  readonly callee: { readonly span: Span };
}

/**
 * `[TRY_]PARSE_…(s [AS type])`: the parsed value of the text. Without a type, the type of a constant text is inferred; other
 * JSON is an `any`, navigated at run time.
 */
export function checkParseText(
  context: CheckContext,
  node: CallExpression | TypedCallExpression,
  { parser, asType, scope }: { readonly parser: Parser; readonly asType: Type | null; readonly scope: Scope },
): Plan {
  const argument = onlyArgument(context, node);
  if (argument === null) return errorPlan(node.span);
  const text = expectOperand(context, checkValue(context, argument.value, scope), string, argument.value.span);
  if (isFaulty(text) || asType?.kind === 'ErrorType') return errorPlan(node.span);
  const wanted = asType === null ? typeOfText(context, node, { parser, text, textSpan: argument.value.span }) : { type: asType };
  if (wanted === null) return errorPlan(node.span);
  const span = placeOf(context, node.span);
  if (wanted === 'nothing') return nullOf(untyped(parser.format), span);
  if ('problem' in wanted)
    return parser.isTry ? nullOf(untyped(parser.format), span) : report(context, 'read-failed', argument.value.span, wanted.problem);
  const problem = typeProblem(parser.format, wanted.type);
  if (problem !== null) return report(context, 'read-failed', node.span, problem);
  return letIn(context, text, (use) => {
    const parsed = whereNotNull(use, valueOf(use, wanted, { format: parser.format, span }));
    return parser.isTry ? { kind: 'Try', type: nullable(parsed.type), span, operand: parsed } : parsed;
  });
}

function onlyArgument(context: CheckContext, node: ParseCall): Argument | null {
  const [argument, another] = node.arguments;
  if (argument === undefined || another !== undefined) report(context, 'argument-count', node.callee.span, '1', node.arguments.length);
  else if (argument.name !== null) report(context, 'unknown-argument', node.callee.span, argument.name.text);
  else return argument;
  return null;
}

interface UntypedText {
  readonly parser: Parser;
  readonly text: Plan;
  readonly textSpan: Span;
}

/** Returns the type of a NULL text without a declared type. */
function untyped(format: TextFormat): Type {
  return format === 'json' ? nullable(anyType) : undeterminedNull;
}

/**
 * Infers the type of a text without a declared type; `nothing` if the text is NULL. Null after a report, or if the text
 * depends on an argument of the enclosing function.
 */
function typeOfText(
  context: CheckContext,
  node: ParseCall,
  { parser: { format }, text, textSpan }: UntypedText,
): TextAnswer | 'nothing' | null {
  const folded = foldConstant(context.values, text);
  // A function has one result type for all arguments; for JSON, `any` covers every text.
  if (format === 'json' && (folded.kind !== 'value' || usesArgument(context.values, text))) return { type: nullable(anyType) };
  if (folded.kind === 'value' && typeof folded.value === 'string') return context.environment.inferText(format, folded.value);
  if (folded.kind === 'value') return 'nothing';
  if (folded.kind === 'unknown') context.text.untypedReads.push(node.span);
  else report(context, 'type-needed', textSpan);
  return null;
}

function typeProblem(format: TextFormat, type: Type): string | null {
  if (format !== 'json') return parsedTypeProblem(format, type);
  return castKind(anyType, type) === 'impossible' ? `${printType(anyType)} cannot be cast to ${printType(type)}` : null;
}

/** Makes the value NULL if the text is NULL. */
function whereNotNull(text: Plan, value: Plan): Plan {
  return !mayBeNull(text) || mayBeNull(value) ? value : nullIfAnyNull([text], value, value.span);
}

type Wanted = Extract<TextAnswer, { readonly type: Type }>;

function valueOf(text: Plan, { type, dialect }: Wanted, { format, span }: { readonly format: TextFormat; readonly span: Span }): Plan {
  const call = (result: Type, args: readonly Plan[]): Plan => ({
    kind: 'Call',
    type: result,
    span,
    function: `PARSE_${format.toUpperCase()}`,
    arguments: args,
  });
  if (format === 'json') return castJson(call(nullable(anyType), [text]), type, span);
  if (dialect === undefined) return call(type, [text]);
  return call(type, [text, constant(string, dialect.delimiter, span), constant(bool, dialect.hasHeader, span)]);
}

/** JSON null is NULL, which requires a nullable type. */
function castJson(json: Plan, type: Type, span: Span): Plan {
  if (type.kind === 'AnyType' && type.isNullable) return json;
  const value: Plan = { kind: 'Cast', type: nullable(type), span, operand: json, isTry: false };
  if (type.isNullable) return value;
  const fails = failure(`expected ${printType(type)} but got null`, type, span);
  return { kind: 'Coalesce', type: notNullable(type), span, operands: [value, fails] };
}
