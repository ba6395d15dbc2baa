import type { FunctionDefinition } from '../../functions/function-definition.ts';
import type { FrameEdge, Plan, SortKey, WindowCall } from '../../plan/plan.ts';
import type { CallExpression, FrameBound, NamedWindow, Window, WindowFrame } from '../../syntax/ast.ts';
import { isNumericName } from '../../types/numeric-types.ts';
import type { Type } from '../../types/type.ts';
import { bool, double, errorType, interval, isComparable, isPrimitive, long, notNullable, nullable, printType } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, isFaulty } from '../operand.ts';
import { placeOf, refuse, report } from '../check-context.ts';
import { foldConstant } from '../constant-value.ts';
import type { OptionValue } from '../environment.ts';
import { convertTo, expectType, mayBeNull } from '../convert.ts';
import { checkValue } from '../check-value.ts';
import type { Scope } from '../scope.ts';
import { meant, nearestFrame } from '../scope.ts';
import { suggest } from '../../text/suggest.ts';
import { inPhase } from '../select/select-frame.ts';
import { argumentSpans, checkArguments } from './arguments.ts';
import { asTexts } from './as-texts.ts';
import { checkConstantArguments } from './constant-arguments.ts';
import { checkSortKeys, isCountOfRows, isDistinctPossible, signatureOf } from './aggregate-call.ts';

/** `f(…) OVER (…)`: in items and ORDER BY of a SELECT, over its rows or (with GROUP BY) over its groups. */
export function checkWindowCall(context: CheckContext, node: CallExpression, definition: FunctionDefinition, scope: Scope): Plan {
  const frame = nearestFrame(scope);
  const { window } = node;
  if (window === null || (definition.kind !== 'aggregate' && definition.kind !== 'window'))
    return report(context, 'not-a-window', node.callee.span, definition.name);
  const [firstKey] = node.orderBy;
  if (firstKey !== undefined) return report(context, 'order-in-window', firstKey.span, definition.name);
  if (node.isDistinct && (definition.kind === 'window' || dependsOnRepeated(definition)))
    return report(context, 'distinct-in-window', node.callee.span, definition.name);
  if (node.ignoresNulls && definition.acceptsIgnoreNulls !== true)
    return report(context, 'ignores-nulls', node.callee.span, definition.name);
  if (frame === null || (frame.phase !== 'row' && frame.phase !== 'group')) return report(context, 'misplaced-window', node.callee.span);
  if (context.expansion.framesOfElements.includes(frame)) return report(context, 'window-of-elements', node.callee.span);
  const whole = withBase(context, window, frame.windows);
  if (whole === null) return errorPlan(node.span);
  const narrowed = definition.takesWholePartitions === true ? (whole.orderBy[0] ?? whole.frame) : null;
  if (narrowed !== null) return report(context, 'whole-partitions', narrowed.span, definition.name);
  return inPhase(frame, frame.phase === 'row' ? 'aggregate' : 'group-window', () =>
    overWindow(context, node, whole, { definition, scope }),
  );
}

/** Merges a window with the named window it extends; null after a report. */
function withBase(context: CheckContext, window: Window, known: readonly NamedWindow[], steps = 0): Window | null {
  const { base } = window;
  if (base === null) return window;
  const [found] = meant(base, (matches) => known.filter(({ name }) => matches(name.text)));
  if (found === undefined || steps > known.length) {
    const nearest = suggest(
      base.text,
      known.map(({ name }) => name.text),
    );
    report(context, 'unknown-window', base.span, base.text, nearest);
    return null;
  }
  const whole = withBase(context, found.window, known, steps + 1);
  if (whole === null) return null;
  const repeated = window.partitionBy[0] ?? (whole.orderBy.length > 0 ? window.orderBy[0] : undefined);
  if (repeated !== undefined || (whole.frame !== null && window.orderBy.length > 0))
    return refuse(context, 'window-says-again', (repeated ?? window).span, base.text);
  return {
    ...window,
    partitionBy: whole.partitionBy,
    orderBy: whole.orderBy.length > 0 ? whole.orderBy : window.orderBy,
    frame: window.frame ?? whole.frame,
  };
}

function overWindow(
  context: CheckContext,
  node: CallExpression,
  window: Window,
  { definition, scope }: { readonly definition: FunctionDefinition; readonly scope: Scope },
): Plan {
  const args = isCountOfRows(node, definition) ? [] : asTexts(context, definition, checkArguments(context, node, scope));
  const filter =
    node.filter === null ? null : expectType(context, checkValue(context, node.filter, scope), nullable(bool), node.filter.span);
  const partitionBy = window.partitionBy.map((part) => {
    const value = checkValue(context, part, scope);
    return isFaulty(value) || isComparable(value.type) ? value : report(context, 'not-a-key', part.span, printType(value.type));
  });
  const keys = checkSortKeys(context, window.orderBy, scope);
  const orderBy = hasRangeOffset(window) ? keys.map(withWideKey) : keys;
  const edges = checkFrame(context, window, orderBy, scope);
  if (args.some(isFaulty)) return errorPlan(node.span);
  const signature = signatureOf(context, node, definition, args);
  if (signature === null || !isDistinctPossible(context, node, { definition, args, orderBy: [] })) return errorPlan(node.span);
  const spans = argumentSpans(node);
  if (checkConstantArguments(context, definition.constantWithOver, signature.arguments, spans) === null) return errorPlan(node.span);
  const isNullable = args.some(mayBeNull) || filter !== null || edges !== null;
  return {
    kind: 'WindowCall',
    type: definition.isNeverNull === true ? notNullable(signature.result) : isNullable ? nullable(signature.result) : signature.result,
    span: placeOf(context, node.span),
    function: definition.name,
    arguments: signature.arguments,
    isDistinct: node.isDistinct,
    ignoresNulls: node.ignoresNulls,
    filter,
    partitionBy,
    orderBy,
    frame: edges,
  } satisfies Plan;
}

/** Frame bounds in order, from the first row to the last. */
const EDGES = [
  'unbounded-preceding',
  'preceding',
  'current-row',
  'following',
  'unbounded-following',
] as const satisfies readonly FrameEdge['type'][];

/** Returns whether a frame is empty whatever its offsets are. DuckDB rejects such frames. */
function isBackwards({ start, end }: WindowFrame): boolean {
  const [from, to] = [EDGES.indexOf(start.type), EDGES.indexOf(end.type)];
  return from > to || from === EDGES.length - 1 || to === 0;
}

/** Checks the frame; null if there is none. */
function checkFrame(context: CheckContext, window: Window, orderBy: readonly SortKey[], scope: Scope): WindowCall['frame'] {
  const { frame } = window;
  if (frame === null) return null;
  if (isBackwards(frame)) report(context, 'frame-backwards', frame.span);
  const { unit } = frame;
  const offset = hasRangeOffset(window) ? rangeOffset(context, frame, orderBy) : long;
  const edge = (bound: FrameBound): FrameEdge => checkEdge(context, bound, offset, scope);
  return { unit, start: edge(frame.start), end: edge(frame.end) };
}

function hasRangeOffset({ frame }: Window): boolean {
  return frame?.unit === 'range' && (frame.start.offset !== null || frame.end.offset !== null);
}

/** A sort key in the widest type of its kind: an offset may be wider than the key, and key - offset must not overflow. */
function withWideKey(key: SortKey): SortKey {
  const { value } = key;
  if (isPrimitive(value.type, 'byte', 'short', 'int')) return { ...key, value: convertTo(value, long) };
  return isPrimitive(value.type, 'float') ? { ...key, value: convertTo(value, double) } : key;
}

/** Returns the type of RANGE offsets: interval for temporal sort keys, numeric for numeric ones. RANGE requires exactly one sort key. */
function rangeOffset(context: CheckContext, { span }: WindowFrame, orderBy: readonly SortKey[]): Type {
  const [key, another] = orderBy;
  const type = key?.value.type ?? errorType;
  if (another === undefined && type.kind === 'PrimitiveType') {
    if (type.name === 'date' || type.name === 'timestamp') return interval;
    if (isNumericName(type.name)) return notNullable(type);
  }
  if (key === undefined || !isFaulty(key.value)) report(context, 'range-of-order', span);
  return errorType;
}

function checkEdge(context: CheckContext, bound: FrameBound, type: Type, scope: Scope): FrameEdge {
  const { offset } = bound;
  if (offset === null) return { type: bound.type, offset: null };
  const plan = expectType(context, checkValue(context, offset, scope), type, offset.span);
  const folded = foldConstant(context.values, plan);
  const isNegative = folded.kind === 'value' && isBelowZero(folded.value);
  return { type: bound.type, offset: isNegative ? report(context, 'negative-frame', offset.span) : plan };
}

/** Returns whether a constant number or interval is negative. */
function isBelowZero(value: OptionValue): boolean {
  if (typeof value === 'number') return value < 0;
  const parts = typeof value === 'string' ? value.split(' ').map(Number) : [];
  return parts.some((part) => part < 0) && parts.every((part) => part <= 0);
}

/** Returns whether the result of an aggregate with DISTINCT would depend on the order of repeated values. */
function dependsOnRepeated({ isOrdered, ignoresRepeated }: FunctionDefinition): boolean {
  return isOrdered === true && ignoresRepeated !== true;
}
