import type { DiagnosticArguments, DiagnosticCode } from '../diagnostics/diagnostic-messages.ts';
import { createDiagnostic } from '../diagnostics/diagnostic-messages.ts';
import type { Plan, VariableId } from '../plan/plan.ts';
import type { Expression, Program } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import type { FieldType, Type } from '../types/type.ts';
import type { KnownOfBound, KnownValues } from './constant-value.ts';
import { DiagnosticLog } from './diagnostic-log.ts';
import type { CheckEnvironment, Need } from './environment.ts';
import type { LetHolder } from './let-holder.ts';
import { createLetHolder } from './let-holder.ts';
import type { Operand } from './operand.ts';
import { errorPlan } from './operand.ts';
import type { DeclarationScope, Scope } from './scope.ts';
import type { SelectFrame } from './select/select-frame.ts';

/** The maximum number of plan nodes of a program, its functions and views expanded. */
const MAX_NODES = 100_000;
/** The maximum number of them that calls of functions add: a short program is checked in a moment, too. */
const MAX_EXPANDED_NODES = 20_000;

/** The state that the parts of one check share. */
export interface CheckContext {
  readonly environment: CheckEnvironment;
  readonly needs: Map<string, Need>;
  /** Of the text that is being checked. */
  diagnostics: DiagnosticLog;
  text: CheckedText;
  /** Open packages, by name in lower case. */
  readonly packages: Map<string, OpenPackage>;
  /** Binds the values of the whole program: its own declarations and those of packages. */
  readonly holder: LetHolder;
  readonly expansion: FunctionExpansion;
  readonly values: CheckedValues;
  /** Checks an expression of any kind. The files of one kind call each other through it, so that none imports the dispatcher. */
  readonly checkOperand: (expression: Expression, scope: Scope, expected?: Type | null) => Operand;
}

/** The text that is being checked: the query, or a view or a package that it uses. */
export interface CheckedText {
  /** The views and packages that lead to this text, each used by the one before: `view films`, `package geo`. */
  readonly trail: readonly string[];
  /** The place in the query that led to this text; null in the query itself. */
  readonly rootSpan: Span | null;
  /** The views, tables and packages that this text uses itself. */
  readonly uses: Map<string, Use>;
  /** Reads with a type that depends on an argument of a function checked without a call. */
  readonly untypedReads: Span[];
}

/** An imported package. Its declarations are checked at their first use. */
export interface OpenPackage {
  readonly name: string;
  readonly text: string;
  readonly program: Program;
  readonly scope: DeclarationScope;
  /** Holds the bindings of its declarations, which move to the program's holder after each use. */
  readonly holder: LetHolder;
  readonly trail: readonly string[];
  /** The value of `IMPORT p`, once it has been used. */
  value: Operand | null;
  /** Why the package cannot be used, if it cannot. */
  cause: string | null;
}

/** The expansion of function calls: each call is checked as the function's body with its arguments. */
export interface FunctionExpansion {
  nodes: number;
  /** Those of the bodies of called functions. */
  expandedNodes: number;
  /** The number of calls that are being expanded, one within the other. */
  depth: number;
  /** The types of the parameters of the functions around, outermost first. */
  parametersAround: string;
  /** The result types of bodies that were checked without a call, with the types of the parameters around them then. */
  readonly knownResults: Map<Expression, { readonly within: string; readonly result: Type }>;
  /** SELECTs whose items apply functions to elements, outermost first. */
  readonly framesOfElements: (SelectFrame | null)[];
}

/** Facts about values, by variable, plan node or expression. */
export interface CheckedValues extends KnownValues {
  nextVariable: VariableId;
  readonly boundPlans: Map<VariableId, Plan>;
  readonly unknownArguments: Set<VariableId>;
  readonly programArguments: Map<string, string | boolean | null>;
  /** Conditions in which FALSE and NULL are equivalent. */
  readonly conditions: WeakSet<Expression>;
  /** The number of rows from which the fields of a type were inferred. */
  readonly sampledFields: WeakMap<readonly FieldType[], number>;
}

/** An entry of the caller's namespace that a text uses. */
export interface Use {
  readonly kind: 'view' | 'table' | 'package';
  readonly name: string;
}

/** Creates the context of one check, with the dispatcher over kinds of expressions. `trail`: the stored text that is checked, if it is one. */
export function createCheckContext(environment: CheckEnvironment, check: Dispatcher, trail: readonly string[]): CheckContext {
  const context: CheckContext = {
    environment,
    needs: new Map(),
    diagnostics: new DiagnosticLog(),
    text: createCheckedText(trail, null),
    packages: new Map(),
    holder: createLetHolder(),
    expansion: { nodes: 0, expandedNodes: 0, depth: 0, parametersAround: '', knownResults: new Map(), framesOfElements: [] },
    values: {
      nextVariable: 1,
      boundPlans: new Map(),
      unknownArguments: new Set(),
      programArguments: new Map(),
      argumentUses: new WeakSet(),
      knownOfBound: new WeakMap<Plan, KnownOfBound>(),
      conditions: new WeakSet(),
      sampledFields: new WeakMap(),
    },
    checkOperand: (expression, scope, expected = null) => check(context, expression, scope, expected),
  };
  return context;
}

type Dispatcher = (context: CheckContext, expression: Expression, scope: Scope, expected: Type | null) => Operand;

/** Creates the state of a text that is about to be checked. */
export function createCheckedText(trail: readonly string[], rootSpan: Span | null): CheckedText {
  return { trail, rootSpan, uses: new Map(), untypedReads: [] };
}

/** Reports a diagnostic at one or more places, and returns the error plan that replaces the faulty node. */
export function report<C extends DiagnosticCode>(
  context: CheckContext,
  code: C,
  spans: Span | readonly Span[],
  ...details: DiagnosticArguments<C>
): Plan {
  return errorPlan(context.diagnostics.add(code, spans, ...details));
}

/** Reports a diagnostic, and returns null for the result that is missing. */
export function refuse<C extends DiagnosticCode>(
  context: CheckContext,
  code: C,
  spans: Span | readonly Span[],
  ...details: DiagnosticArguments<C>
): null {
  context.diagnostics.add(code, spans, ...details);
  return null;
}

/** Runs `attempt` without keeping its diagnostics. Returns null if it reported any. */
export function tryCheck<T>(context: CheckContext, attempt: () => T): T | null {
  return context.diagnostics.try(attempt);
}

/** Returns the place of a plan node in the text that is being checked. */
export function placeOf(context: CheckContext, span: Span): Span {
  return context.diagnostics.placeOf(span);
}

/** Returns the operand with another span; a use of an argument stays one. */
export function usedAt<T extends { readonly span: Span }>(context: CheckContext, operand: T, span: Span): T {
  const use: T = { ...operand, span: placeOf(context, span) };
  if (context.values.argumentUses.has(operand)) context.values.argumentUses.add(use);
  return use;
}

/** Records that the text which is being checked uses an entry of the namespace. */
export function noteUse(context: CheckContext, use: Use): void {
  context.text.uses.set(`${use.kind} ${use.name}`, use);
}

/** Returns a variable number that is new in this plan. */
export function freshVariable({ values }: CheckContext): VariableId {
  const id = values.nextVariable;
  values.nextVariable += 1;
  return id;
}

/** Counts a node of the expanded program; returns false, after one report, if there are too many. */
export function countNode({ expansion, diagnostics }: CheckContext, span: Span): boolean {
  if (expansion.nodes > MAX_NODES || expansion.expandedNodes > MAX_EXPANDED_NODES) return false;
  expansion.nodes += 1;
  if (expansion.depth > 0) expansion.expandedNodes += 1;
  // Kept in a trial too: a trial that fails is checked again and reports its faults then, but this one is reported once.
  if (expansion.nodes > MAX_NODES) diagnostics.keep(createDiagnostic('program-too-large', [diagnostics.placeOf(span)], MAX_NODES));
  else if (expansion.expandedNodes > MAX_EXPANDED_NODES)
    diagnostics.keep(createDiagnostic('calls-too-large', [diagnostics.placeOf(span)], MAX_EXPANDED_NODES));
  else return true;
  return false;
}
