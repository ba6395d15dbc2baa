import type { FunctionDefinition, Overload } from '../../functions/function-definition.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Argument, CallExpression, Name } from '../../syntax/ast.ts';
import { argumentOf } from '../../syntax/parser/sql-forms.ts';
import type { Span } from '../../text/span.ts';
import type { FunctionType } from '../../types/type.ts';
import type { CheckContext } from '../check-context.ts';
import { refuse, report } from '../check-context.ts';
import { checkValue } from '../check-value.ts';
import { fitOperand } from '../fit-operand.ts';
import type { Operand } from '../operand.ts';
import type { Scope } from '../scope.ts';

/** The properties of a parameter used to match arguments. */
export interface NamedParameter {
  readonly name: string | null;
  readonly isOptional: boolean;
}

/** Returns the index of the argument of each parameter, null for omitted ones; null as a whole after a report. */
export function matchArguments(
  context: CheckContext,
  call: CallExpression,
  parameters: readonly NamedParameter[],
): readonly (number | null)[] | null {
  const matched: (number | null)[] = parameters.map(() => null);
  const at = call.callee.span;
  let hasFault = false;
  let hasNames = false;
  for (const [i, argument] of call.arguments.entries()) {
    const { name } = argument;
    if (name !== null) hasNames = true;
    else if (hasNames) return refuse(context, 'argument-after-named', argument.value.span);
    const index = name === null ? i : parameters.findIndex((parameter) => parameter.name?.toLowerCase() === name.text.toLowerCase());
    if (name !== null && (index < 0 || matched[index] !== null)) {
      if (index < 0) report(context, 'unknown-argument', at, name.text);
      else report(context, 'argument-given-twice', name.span, name.text);
      hasFault = true;
    } else if (index >= parameters.length) return refuse(context, 'argument-count', at, countText(parameters), call.arguments.length);
    else matched[index] = i;
  }
  const missing = parameters.filter((parameter, i) => !parameter.isOptional && matched[i] === null);
  if (hasFault || missing.length === 0) return hasFault ? null : matched;
  const names = missing.flatMap(({ name }) => name ?? []);
  if (hasNames && names.length === missing.length) return refuse(context, 'missing-arguments', at, names);
  return refuse(context, 'argument-count', at, countText(parameters), call.arguments.length);
}

/**
 * Returns the call of a built-in function with positional arguments in the order of the parameters; arguments omitted before
 * the last one become defaults. Null after a report.
 */
export function arrangeArguments(context: CheckContext, node: CallExpression, definition: FunctionDefinition): CallExpression | null {
  const names = node.arguments.flatMap((argument) => (argument.name === null ? [] : [argument.name]));
  const [firstName] = names;
  if (firstName === undefined) return node;
  const overload = definition.overloads.find((candidate) => names.every((name) => hasParameter(candidate, name)));
  if (overload === undefined) {
    const stranger = names.find((name) => !definition.overloads.some((candidate) => hasParameter(candidate, name))) ?? firstName;
    report(context, 'unknown-argument', node.callee.span, stranger.text);
    return null;
  }
  const parameters = overload.parameters.map(({ name, defaultValue }) => ({ name, isOptional: defaultValue !== null }));
  const matched = matchArguments(context, node, parameters);
  if (matched === null) return null;
  const last = matched.findLastIndex((index) => index !== null);
  const ordered = matched.slice(0, last + 1).map((index, i): Argument => {
    const given = index === null ? undefined : node.arguments[index];
    if (given !== undefined) return { ...given, name: null };
    const value = overload.parameters[i]?.defaultValue ?? null;
    if (value === null) throw new Error('what is left out has a default');
    return argumentOf({ ...value, span: node.span });
  });
  return { ...node, arguments: ordered };
}

function hasParameter(overload: Overload, name: Name): boolean {
  return overload.parameters.some((parameter) => parameter.name?.toLowerCase() === name.text.toLowerCase());
}

function countText(parameters: readonly NamedParameter[]): string {
  const required = parameters.filter((parameter) => !parameter.isOptional).length;
  return required === parameters.length ? String(required) : `${required} to ${parameters.length}`;
}

/** Checks all arguments as data. */
export function checkArguments(context: CheckContext, call: CallExpression, scope: Scope): readonly Plan[] {
  return call.arguments.map(({ value }) => checkValue(context, value, scope));
}

/** The spans of the arguments. */
export function argumentSpans(call: CallExpression): readonly Span[] {
  return call.arguments.map(({ value }) => value.span);
}

/** The span of an argument; that of the call if it has none there. */
export function argumentSpan(call: CallExpression, index: number): Span {
  return call.arguments[index]?.value.span ?? call.span;
}

/** Checks the number of arguments; reports a mismatch and returns false. */
export function hasCount(context: CheckContext, call: CallExpression, count: number): boolean {
  if (call.arguments.length === count) return true;
  report(context, 'argument-count', call.callee.span, String(count), call.arguments.length);
  return false;
}

/** Checks one argument. The expected type determines the parameter types of a lambda. */
export function checkArgument(
  context: CheckContext,
  call: CallExpression,
  index: number,
  scope: Scope,
  expected: FunctionType | null,
): Operand {
  const argument = call.arguments[index];
  if (argument === undefined) throw new Error('there is no such argument');
  const operand = context.checkOperand(argument.value, scope, expected);
  return operand.kind === 'FunctionValue' && expected !== null ? fitOperand(context, operand, expected, argument.value.span) : operand;
}
