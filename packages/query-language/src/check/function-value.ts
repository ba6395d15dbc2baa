import { nullIfAnyNull } from '../plan/build-plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import type { FunctionType, Type } from '../types/type.ts';
import { errorType, notNullable, nullable, printType } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan, isFaulty } from './operand.ts';
import { freshVariable, placeOf, report } from './check-context.ts';
import { convertTo, mayBeNull, retyped } from './convert.ts';
import { asArgument, fitOperand } from './fit-operand.ts';
import { bind } from './bind.ts';
import { createLetHolder, wrapLets } from './let-holder.ts';
import type { FunctionValue, Operand } from './operand.ts';
import type { Candidate, Scope } from './scope.ts';
import { createCandidateScope, createScope } from './scope.ts';

/** Maximum depth of function calls within the bodies of expanded functions. */
const MAX_EXPANSION_DEPTH = 100;

/** A parameter with its type. */
export interface KnownParameter {
  readonly name: string;
  readonly type: Type;
  readonly defaultValue: Expression | null;
}

/** A function as written, with all that is needed to expand a call of it. */
export interface FunctionSource {
  readonly span: Span;
  readonly parameters: readonly KnownParameter[];
  readonly resultType: Type | null;
  readonly resultTypeSpan: Span;
  readonly body: Expression;
  readonly scope: Scope;
  /** False for lambdas, which may use aggregates of the enclosing SELECT; true for declared functions. */
  readonly isBoundary: boolean;
  /**
   * True if the caller applies the function at once to plans of the parameter types and accepts any result; the separate
   * check is skipped then.
   */
  readonly isAppliedAtOnce?: boolean;
}

interface PlacedSource extends FunctionSource {
  /** The types of the parameters of the functions in which it is written. */
  readonly around: string;
}

/** The value of a function: its body is checked once with unknown arguments, and again at each call with the given ones. */
export function makeFunctionValue(context: CheckContext, written: FunctionSource): FunctionValue | null {
  const source: PlacedSource = { ...written, around: context.expansion.parametersAround };
  const known = knownResult(context, source);
  const result = known ?? (source.isAppliedAtOnce === true ? errorType : checkGenerically(context, source));
  if (known === null) checkDefaults(context, source);
  if (result === null) return null;
  const type: FunctionType = {
    kind: 'FunctionType',
    isNullable: false,
    result,
    parameters: source.parameters.map(({ name, type: parameter, defaultValue }) => ({
      name,
      type: parameter,
      isOptional: defaultValue !== null,
    })),
  };
  const home = context.diagnostics.callSpan;
  return {
    kind: 'FunctionValue',
    type,
    span: source.span,
    // A body of another text is reported at the call.
    apply: (args, callSpan) =>
      context.diagnostics.at(context.diagnostics.callSpan ?? (home === null ? null : callSpan), () =>
        expand(context, source, args, callSpan),
      ),
  };
}

/**
 * Returns the result type of a nested function from its check without a call; its diagnostics have been reported then.
 * Checking again would double the work with each level of nesting.
 */
function knownResult(context: CheckContext, source: PlacedSource): Type | null {
  if (context.expansion.depth === 0 || context.diagnostics.isTrial) return null;
  const known = context.expansion.knownResults.get(source.body);
  return known?.within === withinTypes(source) ? known.result : null;
}

/** The types that the result can depend on: of the parameters, those of the functions around first. */
function withinTypes({ around, parameters }: PlacedSource): string {
  return `${around}(${parameters.map(({ type }) => printType(type)).join(', ')})`;
}

/** A default must fit its parameter, whether or not a call uses it. */
function checkDefaults(context: CheckContext, source: PlacedSource): void {
  for (const { type, defaultValue } of source.parameters) if (defaultValue !== null) checkDefault(context, source, type, defaultValue);
}

function defaultOf(context: CheckContext, source: FunctionSource, { type, defaultValue }: KnownParameter): Operand {
  return defaultValue === null ? errorPlan(source.span) : checkDefault(context, source, type, defaultValue);
}

function checkDefault(context: CheckContext, source: FunctionSource, type: Type, value: Expression): Operand {
  return asArgument(context, context.checkOperand(value, source.scope, type), type, value.span);
}

/** Checks the body with parameters of unknown value and returns the result type; null after a report. */
function checkGenerically(context: CheckContext, source: PlacedSource): Type | null {
  const candidates = source.parameters.map((parameter): Candidate => unknownArgument(context, parameter));
  const untypedReads = context.text.untypedReads.length;
  const result = checkBody(context, source, candidates);
  if (result.kind === 'FunctionValue' || !isFaulty(result)) {
    if (!context.diagnostics.isTrial) context.expansion.knownResults.set(source.body, { within: withinTypes(source), result: result.type });
    return result.type;
  }
  return source.resultType ?? (context.text.untypedReads.length > untypedReads ? errorType : null);
}

function unknownArgument(context: CheckContext, parameter: KnownParameter): Candidate {
  const { name, type } = parameter;
  if (type.kind === 'FunctionType')
    return { name, role: 'parameter', isFunction: true, use: (span) => unknownFunction(context, type, span) };
  const id = freshVariable(context);
  context.values.unknownArguments.add(id);
  return { name, role: 'parameter', use: (span) => ({ kind: 'Variable', type, span: placeOf(context, span), id }) };
}

function unknownFunction(context: CheckContext, type: FunctionType, span: Span): FunctionValue {
  return { kind: 'FunctionValue', type, span, apply: (args, callSpan) => unknownResult(context, type, args, callSpan) };
}

/** Result of a function that is not known yet. NULL if a parameter that is not nullable receives NULL. */
function unknownResult(context: CheckContext, type: FunctionType, args: readonly (Operand | null)[], span: Span): Operand {
  if (type.result.kind === 'FunctionType') return unknownFunction(context, type.result, span);
  const isNull = args.some((arg, i) => {
    const parameter = type.parameters[i]?.type;
    const takesNull = parameter === undefined || parameter.kind === 'ErrorType' || parameter.isNullable;
    return arg !== null && arg.kind !== 'FunctionValue' && !takesNull && mayBeNull(arg);
  });
  return { kind: 'Variable', type: isNull ? nullable(type.result) : type.result, span, id: freshVariable(context) };
}

function checkBody(context: CheckContext, source: PlacedSource, candidates: readonly Candidate[]): Operand {
  const parameters = createCandidateScope(createScope(source.scope, { isBoundary: source.isBoundary }), candidates);
  const around = context.expansion.parametersAround;
  context.expansion.parametersAround = withinTypes(source);
  const { resultType } = source;
  const body = context.checkOperand(source.body, parameters, resultType);
  context.expansion.parametersAround = around;
  return resultType === null ? body : fitOperand(context, body, resultType, source.resultTypeSpan);
}

/** Expands a call: the body with the arguments bound to the parameters, so that each is evaluated once. */
function expand(context: CheckContext, source: PlacedSource, args: readonly (Operand | null)[], callSpan: Span): Operand {
  const holder = createLetHolder();
  const neverNull: Plan[] = [];
  let hasFault = false;
  const candidates = source.parameters.map((parameter, i): Candidate => {
    const given = args[i] ?? null;
    const operand = given ?? defaultOf(context, source, parameter);
    if (operand.kind === 'FunctionValue')
      return { name: parameter.name, role: 'parameter', isFunction: true, use: (span) => ({ ...operand, span }) };
    if (isFaulty(operand)) hasFault = true;
    const value = convertTo(operand, mayBeNull(operand) ? nullable(parameter.type) : parameter.type);
    const use = bind(context, holder, { name: parameter.name, value });
    const isNullFree = parameter.type.kind !== 'ErrorType' && !parameter.type.isNullable;
    if (isNullFree && mayBeNull(use)) neverNull.push(use);
    const seen = isNullFree ? retyped(use, notNullable(use.type)) : use;
    return { name: parameter.name, role: 'parameter', use: (span) => useOfArgument(context, { ...seen, span: placeOf(context, span) }) };
  });
  if (hasFault) return errorPlan(callSpan);
  if (context.expansion.depth >= MAX_EXPANSION_DEPTH) return report(context, 'nested-too-deeply', callSpan, MAX_EXPANSION_DEPTH);
  context.expansion.depth += 1;
  const body = checkBody(context, source, candidates);
  context.expansion.depth -= 1;
  if (body.kind === 'FunctionValue') return body;
  if (isFaulty(body)) return body;
  return wrapLets(holder, neverNull.length === 0 ? body : nullIfAnyNull(neverNull, body, placeOf(context, callSpan)));
}

function useOfArgument(context: CheckContext, use: Plan): Plan {
  context.values.argumentUses.add(use);
  return use;
}
