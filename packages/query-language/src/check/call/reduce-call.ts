import type { Plan } from '../../plan/plan.ts';
import type { CallExpression } from '../../syntax/ast.ts';
import type { Type } from '../../types/type.ts';
import { isSameType, nullable, printType, unify } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, isFaulty } from '../operand.ts';
import { freshVariable, placeOf, report } from '../check-context.ts';
import { convertTo, mayBeNull } from '../convert.ts';
import { asData } from '../check-value.ts';
import type { Scope } from '../scope.ts';
import { argumentSpan, argumentSpans, checkArgument, hasCount } from './arguments.ts';
import { applyToElements, functionOf, orNullCollection } from './callback-calls.ts';

/** The type that a REDUCE's accumulator was found to have. */
interface FoundType {
  readonly node: CallExpression;
  readonly type: Type;
  /** The types found for REDUCE calls within its function. */
  readonly inside: readonly FoundType[];
}

/**
 * One check of a REDUCE's function, with the types that the previous check found for nested REDUCE calls, in source order.
 * The next check starts from them: types only widen, and starting afresh would double the work with each level of nesting.
 */
interface Pass {
  readonly before: readonly FoundType[];
  readonly found: FoundType[];
}

const PASSES = new WeakMap<CheckContext, Pass>();

/** Maximum number of checks that deepen the accumulator's type: `[acc]` has no fixed point. */
const MAX_GROWTHS = 4;

function depthOf(type: Type): number {
  if (type.kind === 'CollectionType') return 1 + depthOf(type.element);
  return type.kind === 'RecordType' ? type.fields.reduce((depth, field) => Math.max(depth, 1 + depthOf(field.type)), 1) : 0;
}

/**
 * `REDUCE(c, start, \\(acc, x) -> …)`. The accumulator's type starts as that of `start` and is widened to the result of the
 * function until it no longer changes.
 */
export function checkReduce(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  if (!hasCount(context, node, 3)) return errorPlan(node.span);
  const [given, start] = [0, 1].map((i) => asData(context, checkArgument(context, node, i, scope, null)));
  if (given === undefined || start === undefined) throw new Error('REDUCE takes three arguments');
  const collection = orNullCollection(given);
  if (isFaulty(collection) || isFaulty(start)) return errorPlan(node.span);
  if (collection.type.kind !== 'CollectionType')
    return report(context, 'collection-expected', argumentSpan(node, 0), printType(collection.type));
  const elementType = collection.type.element;
  const ids = { accumulator: freshVariable(context), element: freshVariable(context) };
  const around = PASSES.get(context);
  const before = around?.before[around.found.length];
  const known = before?.node === node ? before : undefined;
  let type = (known === undefined ? null : unify(start.type, known.type)) ?? start.type;
  let inside: readonly FoundType[] = known?.inside ?? [];
  let growths = 0;
  for (;;) {
    const pass: Pass = { before: inside, found: [] };
    PASSES.set(context, pass);
    const body = reduceBody(context, node, scope, { ids, type, elementType });
    if (around === undefined) PASSES.delete(context);
    else PASSES.set(context, around);
    inside = pass.found;
    if (isFaulty(body)) return errorPlan(node.span);
    const unified = unify(type, body.type);
    if (unified !== null && depthOf(unified) > depthOf(type)) growths += 1;
    if (unified === null || growths > MAX_GROWTHS || (unified.kind === 'AnyType' && type.kind !== 'AnyType'))
      return report(context, 'incompatible-types', argumentSpans(node).slice(1), printType(type), printType(body.type));
    if (isSameType(unified, type)) {
      around?.found.push({ node, type, inside });
      const result = mayBeNull(collection) ? nullable(type) : type;
      const [from, to] = [convertTo(start, type), convertTo(body, type)];
      return { kind: 'Reduce', type: result, span: placeOf(context, node.span), collection, start: from, ...ids, body: to };
    }
    type = unified;
  }
}

function reduceBody(
  context: CheckContext,
  node: CallExpression,
  scope: Scope,
  at: { readonly ids: { readonly accumulator: number; readonly element: number }; readonly type: Type; readonly elementType: Type },
): Plan {
  const span = argumentSpan(node, 2);
  const callback = checkArgument(context, node, 2, scope, functionOf([at.type, at.elementType]));
  if (callback.kind !== 'FunctionValue')
    return isFaulty(callback) ? callback : report(context, 'function-expected', span, printType(callback.type));
  const accumulator: Plan = { kind: 'Variable', type: at.type, span, id: at.ids.accumulator };
  const element: Plan = { kind: 'Variable', type: at.elementType, span, id: at.ids.element };
  return applyToElements(context, scope, callback, { args: [accumulator, element], span });
}
