/**
 * Checks text other than the query's own: the text of a view or a package. Its diagnostics are collected and reported as one
 * at the use; spans of its plan never point into the other text.
 */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { mapChildren } from '../plan/map-children.ts';
import type { Plan } from '../plan/plan.ts';
import type { Program } from '../syntax/ast.ts';
import type { ParseResult } from '../syntax/parse.ts';
import { parseProgram } from '../syntax/parse.ts';
import { createSourceText } from '../text/source-text.ts';
import type { Span } from '../text/span.ts';
import type { CheckContext } from './check-context.ts';
import { createCheckedText, placeOf } from './check-context.ts';
import { DiagnosticLog } from './diagnostic-log.ts';
import type { CheckEnvironment } from './environment.ts';
import { bind } from './bind.ts';
import { createLetHolder, wrapLets } from './let-holder.ts';
import type { FunctionValue, Operand } from './operand.ts';
import { isFaulty } from './operand.ts';

/** Maximum depth of views and packages that use one another. */
export const MAX_TRAIL = 32;

/** The text that is entered, and the use that leads to it. */
export interface Entrance {
  /** The views and packages that lead here, the one that is entered last. */
  readonly trail: readonly string[];
  /** The use, in the text that is left. */
  readonly span: Span;
}

/** Runs a check in another text. Returns its diagnostics, with positions in that text, instead of reporting them. */
export function inReferencedSource<T>(
  context: CheckContext,
  entrance: Entrance,
  run: () => T,
): { readonly value: T; readonly faults: readonly Diagnostic[] } {
  const { diagnostics, text } = context;
  const rootSpan = text.rootSpan ?? diagnostics.placeOf(entrance.span);
  const log = new DiagnosticLog();
  context.diagnostics = log;
  context.text = createCheckedText(entrance.trail, rootSpan);
  try {
    return { value: run(), faults: log.kept };
  } finally {
    context.diagnostics = diagnostics;
    context.text = text;
  }
}

/** Returns whether a view or package is already being checked; `member` is written as in the trail: `view films`. */
export function isOnTrail(context: CheckContext, member: string): boolean {
  const folded = member.toLowerCase();
  return context.text.trail.some((other) => other.toLowerCase() === folded);
}

/** The cycle that `member` would close: `view a → package p → view a`. */
export function cycleText(context: CheckContext, member: string): string {
  const folded = member.toLowerCase();
  const from = context.text.trail.findIndex((other) => other.toLowerCase() === folded);
  return [...context.text.trail.slice(from), member].join(' → ');
}

const HAS_ITS_OWN_PLACE: ReadonlySet<string> = new Set(['view-invalid', 'package-invalid']);

/** Describes in one line why a text is invalid: its first diagnostic with its position, and the number of others. */
export function causeOf(faults: readonly Diagnostic[], text: string): string {
  const [first] = faults;
  if (first === undefined) throw new Error('a cause needs a fault');
  const [span] = first.spans;
  const begin = span === undefined || HAS_ITS_OWN_PLACE.has(first.code) ? null : createSourceText(text).positionOf(span).begin;
  const place = begin === null ? '' : ` at ${begin.line}:${begin.column}`;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return `${first.message}${place}${more}`;
}

/** Relocates a result of another text to the span of its use in this one. */
export function asUsedAt(context: CheckContext, operand: Operand, span: Span): Operand {
  if (operand.kind !== 'FunctionValue') return relocate(operand, placeOf(context, span));
  return { ...operand, span, apply: (args, callSpan) => applyReferenced(context, operand, args, callSpan) };
}

function applyReferenced(context: CheckContext, callee: FunctionValue, args: readonly (Operand | null)[], callSpan: Span): Operand {
  if (context.diagnostics.callSpan !== null) {
    // Within a call from the branch below, which relocates the whole result.
    const result = callee.apply(args, callSpan);
    return result.kind === 'FunctionValue' ? asUsedAt(context, result, callSpan) : result;
  }
  // Arguments belong to this text: they are bound outside, and keep their spans. A returned function cannot be wrapped.
  const holder = createLetHolder();
  const givesFunction = callee.type.result.kind === 'FunctionType';
  const passed = args.map((arg) =>
    arg === null || givesFunction || arg.kind === 'FunctionValue' || isFaulty(arg)
      ? arg
      : bind(context, holder, { name: 'argument', value: arg }),
  );
  const result = context.diagnostics.at(callSpan, () => callee.apply(passed, callSpan));
  const here = asUsedAt(context, result, callSpan);
  return here.kind === 'FunctionValue' || isFaulty(here) ? here : wrapLets(holder, here);
}

/** The same plan with every place replaced by one. */
export function relocate(plan: Plan, span: Span): Plan {
  return { ...mapChildren(plan, (child) => relocate(child, span)), span };
}

const TREES = new WeakMap<CheckEnvironment, Map<string, ParseResult<Program>>>();

/** The tree of another text, parsed once for all rounds of a check. */
export function parseReferenced(context: CheckContext, text: string): ParseResult<Program> {
  const trees = TREES.get(context.environment) ?? new Map<string, ParseResult<Program>>();
  TREES.set(context.environment, trees);
  const tree = trees.get(text) ?? parseProgram(text);
  trees.set(text, tree);
  return tree;
}
