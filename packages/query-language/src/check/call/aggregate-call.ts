import type { FunctionDefinition } from '../../functions/function-definition.ts';
import { resolveOverload } from '../../functions/resolve-overload.ts';
import type { Aggregate, Plan, SortKey } from '../../plan/plan.ts';
import type { CallExpression, Expression } from '../../syntax/ast.ts';
import type { Type } from '../../types/type.ts';
import { bool, collectionOf, isOrderable, long, notNullable, nullable, printType } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, freshVariable, placeOf, report } from '../check-context.ts';
import { convertTo, expectType } from '../convert.ts';
import { checkValue } from '../expression.ts';
import { isFaulty } from '../operand.ts';
import type { Scope } from '../scope.ts';
import { nearestFrame } from '../scope.ts';
import type { SelectFrame } from '../select/select-frame.ts';
import { inPhase } from '../select/select-frame.ts';

/** Aggregates whose result is never NULL. */
const NEVER_NULL = new Set(['COUNT', 'COLLECT', 'COUNT_DISTINCT', 'APPROX_COUNT_DISTINCT']);

/** An aggregate: over the rows of the nearest SELECT, or over the elements of a collection. */
export function checkAggregateCall(context: CheckContext, node: CallExpression, definition: FunctionDefinition, scope: Scope): Plan {
  const [first] = node.arguments;
  const frame = nearestFrame(scope);
  if (first === undefined) return report(context, 'argument-count', node.callee.span, '1', 0);
  if (first.value.kind === 'SelectExpression' || frame === null) return overElements(context, node, definition, first.value, scope);
  if (frame.phase !== 'group') {
    return report(context, frame.phase === 'aggregate' ? 'nested-aggregate' : 'misplaced-aggregate', node.callee.span, definition.name);
  }
  return inPhase(frame, 'aggregate', () => overRows(context, node, definition, scope, frame));
}

function overRows(context: CheckContext, node: CallExpression, definition: FunctionDefinition, scope: Scope, frame: SelectFrame): Plan {
  const isCountAll = definition.name === 'COUNT' && node.arguments.length === 1 && node.arguments[0]?.value.kind === 'StarExpression';
  const args = isCountAll
    ? []
    : node.arguments.map((argument) =>
        argument.value.kind === 'StarExpression'
          ? frame.star(placeOf(context, argument.value.span))
          : checkValue(context, argument.value, scope),
      );
  const [only] = args;
  if (only !== undefined && definition.name === 'SUM' && only.type.kind === 'CollectionType') {
    return report(context, 'aggregate-of-collections', node.arguments[0]?.value.span ?? node.span, 'SUM', 'CSUM');
  }
  return makeAggregate(context, node, { definition, args, scope, isOverCollection: false });
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
  const isCount = definition.name === 'COUNT' && !node.isDistinct;
  const item = makeAggregate(context, node, { definition, args: [element, ...rest], scope, isOverCollection: !isCount });
  if (isFaulty(item)) return item;
  return {
    kind: 'Select',
    type: item.type,
    span: placeOf(context, node.span),
    sources: [{ row, rowType, position: null, collection, join: 'cross', on: null, isOptional: false }],
    where: null,
    grouping: { keys: [] },
    having: null,
    item,
    isSingle: true,
    isDistinct: false,
    itemVariable: freshVariable(context),
    orderBy: [],
    limit: null,
    offset: null,
    order: 'sorted',
  };
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
  const { definition, args, scope } = at;
  const filter =
    node.filter === null ? null : expectType(context, checkValue(context, node.filter, scope), nullable(bool), node.filter.span);
  const orderBy = node.orderBy.map((order): SortKey => {
    const value = checkValue(context, order.value, scope);
    if (!isFaulty(value) && !isOrderable(value.type)) report(context, 'not-orderable', order.value.span, printType(value.type));
    return { value, isDescending: order.isDescending, areNullsFirst: order.nulls === null ? !order.isDescending : order.nulls === 'first' };
  });
  if ([...args, ...orderBy.map((key) => key.value), ...(filter === null ? [] : [filter])].some(isFaulty)) return errorPlan(node.span);
  const signature = signatureOf(context, node, definition, args);
  if (signature === null) return errorPlan(node.span);
  const isNullable =
    !NEVER_NULL.has(definition.name) &&
    (at.isOverCollection ||
      filter !== null ||
      isWithoutKeys(scope) ||
      args.some((arg) => arg.type.kind !== 'ErrorType' && arg.type.isNullable));
  return {
    kind: 'Aggregate',
    span: placeOf(context, node.span),
    function: definition.name,
    isDistinct: node.isDistinct,
    orderBy,
    filter,
    type: isNullable ? nullable(signature.result) : NEVER_NULL.has(definition.name) ? signature.result : notNullable(signature.result),
    arguments: args.map((arg, i) => convertTo(arg, signature.parameters[i] ?? arg.type)),
  } satisfies Aggregate;
}

/** Result and parameters of an aggregate: COLLECT and COUNT take anything, the others what their records say. */
export function signatureOf(
  context: CheckContext,
  node: CallExpression,
  definition: FunctionDefinition,
  args: readonly Plan[],
): { readonly parameters: readonly Type[]; readonly result: Type } | null {
  const [first] = args;
  if (definition.name === 'COUNT' && args.length <= 1) return { parameters: args.map((arg) => arg.type), result: long };
  if (definition.name === 'COLLECT' && first !== undefined && args.length === 1)
    return { parameters: [first.type], result: collectionOf(first.type) };
  const resolved = resolveOverload(
    definition,
    args.map((arg) => arg.type),
  );
  if ('failure' in resolved) {
    reportFailure(
      context,
      node,
      args.map((arg) => arg.type),
      resolved.failure,
    );
    return null;
  }
  return { parameters: resolved.parameterTypes, result: resolved.resultType };
}

/** Reports why no overload fits. */
export function reportFailure(
  context: CheckContext,
  node: CallExpression,
  types: readonly (Type | null)[],
  failure:
    | { readonly kind: 'count'; readonly expected: string }
    | { readonly kind: 'type'; readonly index: number; readonly expected: readonly string[] },
): Plan {
  if (failure.kind === 'count') return report(context, 'argument-count', node.callee.span, failure.expected, node.arguments.length);
  const argument = node.arguments[failure.index];
  const type = types[failure.index] ?? null;
  return report(
    context,
    'argument-type',
    argument?.value.span ?? node.span,
    failure.expected,
    type === null ? 'a function' : printType(type),
  );
}

/** Whether the nearest SELECT makes one group of all rows, maybe of none. */
function isWithoutKeys(scope: Scope): boolean {
  return nearestFrame(scope)?.hasKeys === false;
}
