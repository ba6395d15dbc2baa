import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { DiagnosticArguments, DiagnosticCode } from '../diagnostics/diagnostic-messages.ts';
import { createDiagnostic } from '../diagnostics/diagnostic-messages.ts';
import type { Plan, VariableId } from '../plan/plan.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import type { FieldType, Type } from '../types/type.ts';
import { errorType } from '../types/types.ts';
import type { KnownValues } from './constant-value.ts';
import type { CheckEnvironment, Need } from './environment.ts';
import type { LetHolder } from './let-holder.ts';
import type { OpenPackage } from './open-package.ts';
import type { SelectFrame } from './select/select-frame.ts';

/** How many nodes a program may have once its functions are expanded. */
const MAX_EXPANDED_NODES = 100_000;

/** What one check shares among its parts: where faults go, what is asked of the world, how variables are numbered. */
export interface CheckContext {
  readonly environment: CheckEnvironment;
  diagnostics: Diagnostic[];
  /** Texts and places of these diagnostics: the same is not said twice. */
  said: Set<string>;
  readonly needs: Map<string, Need>;
  /** While set, faults and places belong to another text (a package, a view): they are reported at this span. */
  foreignSpan: Span | null;
  /** While above 0, faults are counted and not kept: a trial. */
  muted: number;
  mutedFaults: number;
  nextVariable: VariableId;
  expandedNodes: number;
  /** How many calls of declared functions are being expanded, one within the other. */
  expansionDepth: number;
  /** The types of the parameters of the functions in whose bodies is what is being checked, outermost first. */
  parametersAround: string;
  /** By the body of a function that has been checked without a call: its result, and the types of the parameters around it then. */
  readonly knownResults: Map<Expression, { readonly within: string; readonly result: Type }>;
  /** The SELECTs in whose items functions of elements are being applied, outermost first. */
  readonly framesOfElements: (SelectFrame | null)[];
  /** The views and packages that are being checked, each used by the one before: `view films`, `package geo`. */
  trail: readonly string[];
  /** While another text is checked: the place in the first text that led there. */
  rootSpan: Span | null;
  /** The views, tables and packages that the text which is being checked uses itself. */
  uses: Map<string, Use>;
  /** The packages that were opened by now, by name in lower case. */
  readonly packages: Map<string, OpenPackage>;
  /** Who binds the values of the whole program: its declarations, and those of packages. */
  readonly holder: LetHolder;
  /** What the variables of declarations and parameters stand for. */
  readonly boundPlans: Map<VariableId, Plan>;
  /** Parameters of functions that are checked without a call. */
  readonly unknownArguments: Set<VariableId>;
  /** By the names of the plan's parameters: the texts that the program is run with. */
  readonly programArguments: Map<string, string | boolean | null>;
  /** Uses of arguments in the bodies of functions that are expanded. */
  readonly argumentUses: WeakSet<object>;
  /** Expressions of which FALSE and NULL mean the same. */
  readonly conditions: WeakSet<Expression>;
  readonly knownOfBound: KnownValues['knownOfBound'];
  /** By the fields of a type that was found out from the first rows of a source: how many were looked at. */
  readonly sampledFields: WeakMap<readonly FieldType[], number>;
  /** Reads whose type only a call of the function around could tell. */
  readonly untypedReads: Span[];
}

/** Something of the caller's namespace that a text uses. */
export interface Use {
  readonly kind: 'view' | 'table' | 'package';
  readonly name: string;
}

/** A context for one check. */
export function createCheckContext(environment: CheckEnvironment): CheckContext {
  return {
    environment,
    diagnostics: [],
    said: new Set(),
    needs: new Map(),
    foreignSpan: null,
    muted: 0,
    mutedFaults: 0,
    nextVariable: 1,
    expandedNodes: 0,
    expansionDepth: 0,
    parametersAround: '',
    framesOfElements: [],
    knownResults: new Map(),
    trail: [],
    rootSpan: null,
    uses: new Map(),
    packages: new Map(),
    holder: { bindings: [] },
    boundPlans: new Map(),
    unknownArguments: new Set(),
    programArguments: new Map(),
    argumentUses: new WeakSet(),
    conditions: new WeakSet(),
    knownOfBound: new WeakMap(),
    sampledFields: new WeakMap(),
    untypedReads: [],
  };
}

/** Reports a fault at one or more places and answers the plan that stands for it. */
export function report<C extends DiagnosticCode>(
  context: CheckContext,
  code: C,
  spans: Span | readonly Span[],
  ...details: DiagnosticArguments<C>
): Plan {
  const given = Array.isArray(spans) ? (spans as readonly Span[]) : [spans as Span];
  const places =
    context.foreignSpan !== null ? [context.foreignSpan] : [...new Map(given.map((span) => [`${span.start} ${span.end}`, span])).values()];
  if (context.muted > 0) context.mutedFaults += 1;
  else keep(context, createDiagnostic(code, places, ...details));
  return errorPlan(places[0] ?? { start: 0, end: 0 });
}

/** Adds a diagnostic unless the same text stands at the same places already. */
function keep({ diagnostics, said }: CheckContext, diagnostic: Diagnostic): void {
  const key = `${diagnostic.spans.map(({ start, end }) => `${start} ${end}`).join()} ${diagnostic.message}`;
  if (!said.has(key)) diagnostics.push(diagnostic);
  said.add(key);
}

/** Runs `attempt` without keeping its faults; null if it had any. */
export function tryCheck<T>(context: CheckContext, attempt: () => T): T | null {
  const before = context.mutedFaults;
  context.muted += 1;
  try {
    const result = attempt();
    return context.mutedFaults === before ? result : null;
  } finally {
    context.muted -= 1;
    context.mutedFaults = before;
  }
}

/** The span to give a plan node: the place in the query's own text. */
export function placeOf(context: CheckContext, span: Span): Span {
  return context.foreignSpan ?? span;
}

/** The same operand for a use at another place; an argument stays one. */
export function usedAt<T extends { readonly span: Span }>(context: CheckContext, operand: T, span: Span): T {
  const use: T = { ...operand, span: placeOf(context, span) };
  if (context.argumentUses.has(operand)) context.argumentUses.add(use);
  return use;
}

/** Notes that the text which is being checked uses something of the namespace. */
export function noteUse(context: CheckContext, use: Use): void {
  context.uses.set(`${use.kind} ${use.name}`, use);
}

/** A variable number that nothing in this plan has. */
export function freshVariable(context: CheckContext): VariableId {
  const id = context.nextVariable;
  context.nextVariable += 1;
  return id;
}

/** Counts one node of the expanded program; false (after one report) when there are too many. */
export function countNode(context: CheckContext, span: Span): boolean {
  context.expandedNodes += 1;
  context.environment.onPart?.();
  if (context.expandedNodes <= MAX_EXPANDED_NODES) return true;
  // Kept also in a trial: whoever tries knows of faults that it would report again, and this one comes once.
  if (context.expandedNodes === MAX_EXPANDED_NODES + 1)
    keep(context, createDiagnostic('program-too-large', [placeOf(context, span)], MAX_EXPANDED_NODES));
  return false;
}

/** The plan of something that had a fault: agrees with every type. */
export function errorPlan(span: Span): Plan {
  return { kind: 'Constant', type: errorType, span, value: null };
}
