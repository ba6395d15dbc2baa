import type { FunctionDefinition } from '../../functions/function-definition.ts';
import { expectedCount, resolveOverload } from '../../functions/resolve-overload.ts';
import { plainSelect } from '../../plan/plain-select.ts';
import type { Aggregate, Plan, SortKey } from '../../plan/plan.ts';
import { isSamePlan } from '../../plan/same-plan.ts';
import type { CallExpression, Expression, OrderItem } from '../../syntax/ast.ts';
import type { Type } from '../../types/type.ts';
import { isComparable, long, notNullable, nullable, printType } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, isFaulty } from '../operand.ts';
import { freshVariable, placeOf, report } from '../check-context.ts';
import { convertTo } from '../convert.ts';
import { checkCondition, checkValue } from '../check-value.ts';
import type { Scope } from '../scope.ts';
import { quotedField } from '../quoted-field.ts';
import { makeSortKey } from '../sort-key.ts';
import { nearestFrame } from '../scope.ts';
import { isQueryOfElements } from '../select/aggregate-query.ts';
import type { SelectFrame } from '../select/select-frame.ts';
import { inPhase } from '../select/select-frame.ts';
import { argumentSpan, argumentSpans } from './arguments.ts';
import { asTexts } from './as-texts.ts';
import { checkConstantArguments } from './constant-arguments.ts';
import { reportFailure } from './report-failure.ts';

/** An aggregate: over the rows of the nearest SELECT, or over the elements of a collection. */
export function checkAggregateCall(context: CheckContext, node: CallExpression, definition: FunctionDefinition, scope: Scope): Plan {
  const [first] = node.arguments;
  const frame = nearestFrame(scope);
  if (first === undefined) return report(context, 'argument-count', node.callee.span, expectedCount(definition.overloads), 0);
  if (frame === null || isQueryOfElements(first.value, scope)) return overElements(context, node, definition, first.value, scope);
  if (frame.phase !== 'group' && frame.phase !== 'group-window') {
    return report(context, frame.phase === 'aggregate' ? 'nested-aggregate' : 'misplaced-aggregate', node.callee.span, definition.name);
  }
  return inPhase(frame, 'aggregate', () => overRows(context, node, definition, scope, frame));
}

function overRows(context: CheckContext, node: CallExpression, definition: FunctionDefinition, scope: Scope, frame: SelectFrame): Plan {
  const args = isCountOfRows(node, definition)
    ? []
    : node.arguments.map((argument) =>
        argument.value.kind === 'StarExpression'
          ? frame.star(placeOf(context, argument.value.span))
          : (quotedField(context, argument.value, scope) ?? checkValue(context, argument.value, scope)),
      );
  const [only] = args;
  if (definition.overElements !== undefined && only?.type.kind === 'CollectionType') {
    const span = argumentSpan(node, 0);
    return report(context, 'aggregate-of-collections', span, definition.name, definition.overElements);
  }
  return makeAggregate(context, node, { definition, args, scope, isOverCollection: false });
}

/** `COUNT(*)` */
export function isCountOfRows(node: CallExpression, definition: FunctionDefinition): boolean {
  const [only, another] = node.arguments;
  return definition.countsRows === true && !node.isDistinct && only?.value.kind === 'StarExpression' && another === undefined;
}

/** `AVG(SELECT …)`: the elements are the rows of a SELECT of one group. */
function overElements(context: CheckContext, node: CallExpression, definition: FunctionDefinition, first: Expression, scope: Scope): Plan {
  const collection = checkValue(context, first, scope);
  if (isFaulty(collection)) return collection;
  if (collection.type.kind !== 'CollectionType') return report(context, 'collection-expected', first.span, printType(collection.type));
  const row = freshVariable(context);
  const rowType = collection.type.element;
  const element: Plan = { kind: 'Variable', type: rowType, span: placeOf(context, first.span), id: row };
  const rest = node.arguments.slice(1).map((argument) => checkValue(context, argument.value, scope));
  const isCount = definition.countsRows === true && !node.isDistinct;
  const item = makeAggregate(context, node, { definition, args: [element, ...rest], scope, isOverCollection: !isCount });
  if (isFaulty(item)) return item;
  const select = plainSelect(collection, { row, item, itemVariable: freshVariable(context), span: placeOf(context, node.span) });
  return { ...select, type: item.type, grouping: { keys: [], sets: null }, isSingle: true, order: 'sorted' };
}

function makeAggregate(
  context: CheckContext,
  node: CallExpression,
  at: {
    readonly definition: FunctionDefinition;
    readonly args: readonly Plan[];
    readonly scope: Scope;
    readonly isOverCollection: boolean;
  },
): Plan {
  const { definition, scope } = at;
  // The order of DISTINCT values is that of the values as they are written, and not of their texts.
  const args = node.isDistinct && node.orderBy.length > 0 ? at.args : asTexts(context, definition, at.args);
  const filter = node.filter === null ? null : checkCondition(context, node.filter, scope);
  const orderBy = checkSortKeys(context, node.orderBy, scope);
  if ([...args, ...orderBy.map((key) => key.value)].some(isFaulty)) return errorPlan(node.span);
  const signature = signatureOf(context, node, definition, args);
  if (signature === null || !isDistinctPossible(context, node, { definition, args, orderBy })) return errorPlan(node.span);
  const isNullable = at.isOverCollection || filter !== null || isWithoutKeys(scope) || args.some((arg) => arg.type.isNullable);
  return {
    kind: 'Aggregate',
    span: placeOf(context, node.span),
    function: definition.name,
    isDistinct: node.isDistinct && definition.ignoresRepeated !== true,
    orderBy: definition.isOrdered === true ? orderBy : [],
    filter,
    type: definition.isNeverNull === true ? notNullable(signature.result) : isNullable ? nullable(signature.result) : signature.result,
    arguments: signature.arguments,
  } satisfies Aggregate;
}

/** Sort keys, in an aggregate and in OVER. */
export function checkSortKeys(context: CheckContext, orderBy: readonly OrderItem[], scope: Scope): readonly SortKey[] {
  return orderBy.map((order) =>
    makeSortKey(context, order, quotedField(context, order.value, scope) ?? checkValue(context, order.value, scope)),
  );
}

/** DISTINCT needs values that can be compared; an order of different values can only be their own. */
export function isDistinctPossible(
  context: CheckContext,
  node: CallExpression,
  {
    definition,
    args,
    orderBy,
  }: { readonly definition: FunctionDefinition; readonly args: readonly Plan[]; readonly orderBy: readonly SortKey[] },
): boolean {
  const [first] = args;
  if (!node.isDistinct || first === undefined) return true;
  const span = argumentSpan(node, 0);
  if (!isComparable(first.type)) report(context, 'not-comparable', span, printType(first.type));
  else {
    const isOwnOrder = orderBy.length === 0 || (orderBy.length === 1 && orderBy.every((key) => isSamePlan(key.value, first)));
    if (isOwnOrder || definition.isOrdered !== true || definition.ignoresRepeated === true) return true;
    report(context, 'distinct-order', node.orderBy[0]?.value.span ?? node.span, definition.name);
  }
  return false;
}

/** Checks the arguments of an aggregate or window function and returns its signature; null after a report. */
export function signatureOf(
  context: CheckContext,
  node: CallExpression,
  definition: FunctionDefinition,
  args: readonly Plan[],
): { readonly arguments: readonly Plan[]; readonly result: Type } | null {
  const [first, second] = args;
  if (definition.countsRows === true && first === undefined) return { arguments: [], result: long };
  if (definition.resultOfAny !== undefined && first !== undefined && second === undefined)
    return { arguments: args, result: definition.resultOfAny(first.type) };
  const types = args.map((arg) => arg.type);
  const resolved = resolveOverload(definition, types);
  if ('failure' in resolved) {
    reportFailure(context, node, types, resolved.failure);
    return null;
  }
  const converted = args.map((arg, i) => {
    const pattern = resolved.overload.parameters[i]?.pattern;
    const isNumber = pattern?.kind === 'Hole' && (pattern.name === 'I' || pattern.name === 'N');
    // Values of no type are NULL, or fail: as numbers they have a form.
    if (isNumber && arg.type.kind === 'AnyType') return convertTo(arg, long);
    return convertTo(arg, resolved.parameterTypes[i] ?? arg.type);
  });
  const checked = checkConstantArguments(context, definition.constantArgument, converted, argumentSpans(node));
  return checked === null ? null : { arguments: checked === 'unknown' ? converted : checked, result: resolved.resultType };
}

/** Returns whether the nearest SELECT aggregates without keys, over one group that may be empty. */
function isWithoutKeys(scope: Scope): boolean {
  return nearestFrame(scope)?.hasKeys === false;
}
