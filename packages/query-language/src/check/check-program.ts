import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Plan } from '../plan/plan.ts';
import type { Program } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { withinTypeLimit } from '../types/within-type-limit.ts';
import type { CheckContext, Use } from './check-context.ts';
import { report } from './check-context.ts';
import type { BoundArgument } from './program-arguments.ts';
import { bindArguments } from './program-arguments.ts';
import type { CheckEnvironment, Need } from './environment.ts';
import { wrapLets } from './let-holder.ts';
import type { Operand } from './operand.ts';
import { isFaulty } from './operand.ts';
import { checkPublicFunctions } from './public-functions.ts';
import { startCheck } from './start-check.ts';
import { viewValue } from './stored-name.ts';

/** Result of checking a program. `plan` is present if there are no diagnostics and no needs, and the program can run as it is. */
export interface CheckResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly needs: readonly Need[];
  readonly type: Type | null;
  readonly plan: Plan | null;
  readonly arguments: readonly BoundArgument[];
  /** Views, tables and packages that the text itself names. Those used indirectly, by views and packages, are not included. */
  readonly uses: readonly Use[];
}

/** Optional parts of a check. */
export interface CheckOptions {
  /** Texts for the parameters of a query that ends in a function; null: it is not going to be run. */
  readonly arguments: ReadonlyMap<string, string> | null;
  /** The view that the text is or will be: it may not use itself, and ends in data. */
  readonly view?: string;
}

/** Checks a program that ends in an expression. Pure and synchronous: missing types and names are returned as needs. */
export function checkProgram(program: Program, environment: CheckEnvironment, options: CheckOptions): CheckResult {
  const empty = { needs: [], type: null, plan: null, arguments: [], uses: [] };
  return withinTypeLimit((program.result ?? program).span, () => checkParts(program, environment, options), empty);
}

function checkParts(program: Program, environment: CheckEnvironment, options: CheckOptions): CheckResult {
  const { context, declared } = startCheck(program, environment, options.view === undefined ? [] : [`view ${options.view}`]);
  const { scope } = declared;
  // A package is run as a query while it is being written, so faults of its endpoints are reported here too.
  if (program.declarations.some((declaration) => declaration.kind !== 'TypeDeclaration' && declaration.annotations.length > 0))
    checkPublicFunctions(context, program, scope);
  const end = { start: program.span.end, end: program.span.end };
  const untypedReads = context.text.untypedReads.length;
  const checked: Operand = program.result === null ? report(context, 'result-expected', end) : context.checkOperand(program.result, scope);
  const operand = options.view === undefined ? checked : viewValue(context, checked);
  reportUntypedReads(context, operand, untypedReads);
  const found = finish(context, program, operand, options);
  const isComplete = context.diagnostics.count === 0 && context.needs.size === 0;
  if (isComplete && isFaulty(operand)) throw new Error('a fault has no diagnostic');
  return {
    diagnostics: context.diagnostics.kept.toSorted((a, b) => (a.spans[0]?.start ?? 0) - (b.spans[0]?.start ?? 0)),
    needs: [...context.needs.values()],
    type: isComplete ? found.type : null,
    plan: isComplete && found.plan !== null ? wrapLets(context.holder, found.plan) : null,
    arguments: found.arguments,
    uses: [...context.text.uses.values()],
  };
}

/**
 * Reports reads whose location depends on the query's arguments and that have no type: the type of a query must be known
 * without its arguments.
 */
function reportUntypedReads(context: CheckContext, operand: Operand, before: number): void {
  if (operand.kind !== 'FunctionValue' || operand.type.result.kind !== 'ErrorType') return;
  const own = context.text.untypedReads.slice(before);
  for (const span of own.length > 0 ? own : context.text.untypedReads) report(context, 'type-needed', span);
}

/** Calls a query that ends in a function with the given arguments. */
function finish(
  context: CheckContext,
  program: Program,
  operand: Operand,
  options: CheckOptions,
): Pick<CheckResult, 'type' | 'plan' | 'arguments'> {
  const span = program.result?.span ?? program.span;
  const ofItself = (plan: Plan | null): ReturnType<typeof finish> => ({ type: operand.type, plan, arguments: [] });
  if (operand.kind !== 'FunctionValue') return ofItself(operand);
  if (operand.type.result.kind === 'FunctionType') return ofItself(report(context, 'function-as-result', span));
  const notData = operand.type.parameters.find(
    ({ name, type, isOptional }) => type.kind === 'FunctionType' && (!isOptional || options.arguments?.has(name ?? '') === true),
  );
  if (notData !== undefined) return ofItself(report(context, 'function-as-argument', span, notData.name ?? ''));
  if (options.arguments === null) return ofItself(null);
  const bound = bindArguments(context, operand, options.arguments, span);
  const plan = operand.apply(bound.operands, span);
  if (plan.kind === 'FunctionValue') return ofItself(report(context, 'function-as-data', span));
  return { type: plan.type, plan, arguments: bound.arguments };
}
