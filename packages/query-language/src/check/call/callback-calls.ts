import { constant, exists, not } from '../../plan/build-plan.ts';
import type { Plan } from '../../plan/plan.ts';
import type { CallExpression } from '../../syntax/ast.ts';
import type { Span } from '../../text/span.ts';
import type { FunctionType, Type } from '../../types/type.ts';
import { bool, collectionOf, errorType, long, nullable, printType, undeterminedNull } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, isFaulty, isNullAlone } from '../operand.ts';
import { placeOf, refuse, report } from '../check-context.ts';
import { convertTo, expectOperand } from '../convert.ts';
import { selectFrom } from '../map-collection.ts';
import type { FunctionValue } from '../operand.ts';
import { asData } from '../check-value.ts';
import type { Scope } from '../scope.ts';
import { nearestFrame } from '../scope.ts';
import { argumentSpan, checkArgument, hasCount } from './arguments.ts';

interface Elements {
  readonly collection: Plan;
  readonly callback: FunctionValue;
}

/** `TRANSFORM(c, f)` */
export function checkTransform(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  return overElements(context, node, scope, (element, f) => ({ item: f(element) }));
}

/** `FILTER(c, f)` */
export function checkFilter(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  return overElements(context, node, scope, (element, f) => ({ item: element, where: condition(context, node, f(element)) }));
}

/** The collection and the function of a call like TRANSFORM(c, f). */
function checkElements(context: CheckContext, node: CallExpression, scope: Scope): Elements | null {
  if (!hasCount(context, node, 2)) return null;
  const collection = orNullCollection(asData(context, checkArgument(context, node, 0, scope, null)));
  if (isFaulty(collection)) return null;
  if (collection.type.kind !== 'CollectionType')
    return refuse(context, 'collection-expected', argumentSpan(node, 0), printType(collection.type));
  const callback = checkArgument(context, node, 1, scope, functionOf([collection.type.element]));
  if (callback.kind === 'FunctionValue') return { collection, callback };
  if (!isFaulty(callback)) report(context, 'function-expected', argumentSpan(node, 1), printType(callback.type));
  return null;
}

/** A function of parameters of these types, with any result. */
export function functionOf(types: readonly Type[]): FunctionType {
  const parameters = types.map((type) => ({ name: null, type, isOptional: false }));
  return { kind: 'FunctionType', isNullable: false, parameters, result: errorType };
}

/** Applies a function to elements. Window functions in it would be over the elements, not over the enclosing SELECT, and are reported. */
export function applyToElements(
  context: CheckContext,
  scope: Scope,
  callback: FunctionValue,
  { args, span }: { readonly args: readonly Plan[]; readonly span: Span },
): Plan {
  context.expansion.framesOfElements.push(nearestFrame(scope));
  const result = asData(context, callback.apply(args, span));
  context.expansion.framesOfElements.pop();
  return result;
}

/** Converts an untyped NULL to a NULL collection. */
export function orNullCollection(plan: Plan): Plan {
  return isNullAlone(plan) ? convertTo(plan, nullable(collectionOf(undeterminedNull))) : plan;
}

function overElements(
  context: CheckContext,
  node: CallExpression,
  scope: Scope,
  make: (element: Plan, f: (element: Plan) => Plan) => { readonly item: Plan; readonly where?: Plan },
): Plan {
  const parts = checkElements(context, node, scope);
  if (parts === null) return errorPlan(node.span);
  const span = argumentSpan(node, 1);
  return selectFrom(context, parts.collection, placeOf(context, node.span), (element) =>
    make(element, (argument) => applyToElements(context, scope, parts.callback, { args: [argument], span })),
  );
}

function condition(context: CheckContext, node: CallExpression, plan: Plan): Plan {
  return expectOperand(context, plan, bool, argumentSpan(node, 1));
}

/** `ANY(c, f)`: true if the function is true for some element. `ALL(c, f)`: if it is false for none. NULL counts as neither. */
export function checkAnyOrAll(context: CheckContext, node: CallExpression, scope: Scope, name: 'ANY' | 'ALL'): Plan {
  const isAll = name === 'ALL';
  const span = placeOf(context, node.span);
  const found = overElements(context, node, scope, (element, f) => {
    const test = condition(context, node, f(element));
    return { item: element, where: isAll ? not(test, span) : test };
  });
  if (isFaulty(found)) return found;
  const isFound = exists(found, span);
  return isAll ? not(isFound) : isFound;
}

/** `FIND_FIRST(c, f)` */
export function checkFindFirst(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  const found = checkFilter(context, node, scope);
  if (found.type.kind !== 'CollectionType') return found;
  const span = placeOf(context, node.span);
  return { kind: 'Element', type: nullable(found.type.element), span, target: found, index: constant(long, '0', span) };
}
