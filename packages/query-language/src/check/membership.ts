import { constant, exists, isNull, not } from '../plan/build-plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { Expression, InExpression } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import type { RecordType, Type } from '../types/type.ts';
import { collectionOf, errorType, isComparable, notNullable, nullable, printType, undeterminedNull } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan, isFaulty, isNullAlone } from './operand.ts';
import { placeOf, report } from './check-context.ts';
import { boolOf, commonType, convertTo, mayBeNull, readAsTemporal, unifyOperands } from './convert.ts';
import { letIn } from './bind.ts';
import { comparedWithText } from './element-advice.ts';
import { checkCondition, checkValue } from './check-value.ts';
import { mapCollection, selectFrom } from './map-collection.ts';
import { checkComparison } from './comparison.ts';
import { checkLogical } from './binary.ts';
import { quotedField } from './quoted-field.ts';
import { fieldOf, makeRecord } from './record-fields.ts';
import type { Scope } from './scope.ts';
import { temporalName } from './temporal-text.ts';

/** `e [NOT] IN collection` and `e [NOT] IN (a, b)`; `(e)` is a list too if e is not a collection. */
export function checkIn(context: CheckContext, node: InExpression, scope: Scope): Plan {
  const operand = checkValue(context, node.operand, scope);
  const list = node.list ?? listOf(node.right, operand);
  const right = list === null ? checkRightOfIn(context, node, scope) : checkList(context, node, list, operand, scope);
  const collection = isNullAlone(right) ? convertTo(right, nullable(collectionOf(undeterminedNull))) : right;
  if (isFaulty(collection)) return collection;
  const isOfConstants = collection.kind === 'CollectionLiteral' && collection.elements.every(({ kind }) => kind === 'Constant');
  const quoted = isOfConstants ? quotedField(context, node.operand, scope) : null;
  if (quoted !== null) return quoted;
  if (collection.type.kind !== 'CollectionType')
    return report(context, 'collection-expected', node.right?.span ?? node.span, printType(collection.type));
  const { element: elementType } = collection.type;
  if (isTuple(node.operand) && operand.type.kind === 'RecordType' && elementType.kind === 'RecordType')
    return checkTupleIn(context, node, { tuple: readAsFields(context, operand, elementType), rows: collection, ofRow: elementType });
  return makeIn(context, node, operand, onlyFieldOf(context, collection, operand));
}

function makeIn(context: CheckContext, node: InExpression, operand: Plan, collection: Plan): Plan {
  if (collection.type.kind !== 'CollectionType') return collection;
  const { element: elementType } = collection.type;
  const places = [node.operand.span, node.right?.span ?? node.span];
  if (node.right?.kind === 'SelectExpression' && operand.type.kind === 'PrimitiveType' && elementType.kind === 'RecordType')
    return report(context, 'one-item-expected', places, printType(operand.type), printType(elementType));
  const element = constant(elementType, null, collection.span);
  const unified = unifyOperands(context, [operand, element], places, { readsTemporals: true });
  const [left] = unified ?? [];
  if (left === undefined || unified === null) return errorPlan(node.span);
  const common = commonType(unified);
  if (!isComparable(common)) return report(context, 'not-comparable', node.operand.span, printType(common));
  const members = convertTo(collection, collectionOf(common));
  const isNullable = common.isNullable || mayBeNull(collection);
  const span = placeOf(context, node.span);
  const type = isNullable ? nullable(boolOf()) : boolOf();
  return unless(node, { kind: 'In', type, span, operand: left, collection: members });
}

/** NOT IN. */
function unless({ isNegated }: InExpression, test: Plan): Plan {
  return isNegated ? not(test) : test;
}

/** Compares a value with the only field of records, if the collection has records of one field. */
function onlyFieldOf(context: CheckContext, collection: Plan, operand: Plan): Plan {
  const element = collection.type.kind === 'CollectionType' ? collection.type.element : null;
  if (element?.kind !== 'RecordType' || element.fields.length !== 1) return collection;
  if (operand.type.kind === 'RecordType' || isNullAlone(operand)) return collection;
  return mapCollection(context, collection, collection.span, (row) => fieldOf(row, 0, collection.span));
}

/** `(a, b)` with values that have no names. */
function isTuple(expression: Expression): boolean {
  return expression.kind === 'RecordExpression' && expression.fields.length > 1 && expression.fields.every(({ name }) => name === null);
}

/** Checks the condition of WHERE or ON, in which FALSE and NULL are equivalent. */
export function checkRowCondition(context: CheckContext, expression: Expression, scope: Scope): Plan {
  noteCondition(context, expression);
  return checkCondition(context, expression, scope);
}

/** Records that FALSE and NULL are equivalent, also for INs within AND and OR: NULLs in the list need not be searched then. */
function noteCondition(context: CheckContext, expression: Expression): void {
  if (expression.kind === 'InExpression' && !expression.isNegated) context.values.conditions.add(expression);
  if (expression.kind === 'BinaryExpression' && (expression.operator === 'AND' || expression.operator === 'OR')) {
    noteCondition(context, expression.left);
    noteCondition(context, expression.right);
  }
}

/** Parses the strings of a record literal as the temporals in the same fields of the other type; returns other plans unchanged. */
function readAsFields(context: CheckContext, plan: Plan, other: Type): Plan {
  if (plan.kind !== 'RecordLiteral' || plan.type.kind !== 'RecordType' || other.kind !== 'RecordType') return plan;
  const values = plan.values.map((value, i) => {
    const type = other.fields[i]?.type;
    return type === undefined ? value : (readAsTemporal(context, value, notNullable(type), value.span) ?? value);
  });
  if (values.some(isFaulty)) return errorPlan(plan.span);
  const fields = plan.type.fields.map(({ name }, i) => ({ name, type: values[i]?.type ?? errorType }));
  return { ...plan, type: { ...plan.type, fields }, values };
}

interface TupleIn {
  readonly tuple: Plan;
  readonly rows: Plan;
  readonly ofRow: RecordType;
}

/**
 * `(a, b) IN rows`: compares fields by position, with SQL's three values: TRUE if a row is equal, NULL if one may be (it or
 * the tuple contains NULL), else FALSE.
 */
function checkTupleIn(context: CheckContext, node: InExpression, { tuple, rows, ofRow }: TupleIn): Plan {
  const ofTuple = tuple.type;
  if (ofTuple.kind !== 'RecordType') return tuple;
  const places = [node.operand.span, node.right?.span ?? node.span];
  if (ofTuple.fields.length !== ofRow.fields.length)
    return report(context, 'tuple-size', places, ofTuple.fields.length, ofRow.fields.length);
  const span = placeOf(context, node.span);
  const named = (row: Plan): Plan =>
    makeRecord(
      context,
      node.span,
      ofRow.fields.map((_, i) => ({ name: `_${i + 1}`, plan: fieldOf(row, i, span), span })),
    );
  const tupleMayHoldNull = ofTuple.fields.some(({ type }) => type.isNullable);
  const rowsMayHoldNull = ofRow.isNullable || ofRow.fields.some(({ type }) => type.isNullable);
  const mayHoldNull = tupleMayHoldNull || rowsMayHoldNull;
  if (!mayHoldNull || context.values.conditions.has(node)) {
    return letIn(context, tuple, (use) => {
      const found = makeIn(context, { ...node, isNegated: false }, use, mapCollection(context, rows, span, named));
      if (!mayHoldNull || isFaulty(found)) return unless(node, found);
      return unless(node, conjunction(context, node.span, [...nullFields(use, span).map((field) => not(field)), found]));
    });
  }
  return letIn(context, tuple, (use) =>
    letIn(context, rows, (all) => {
      const isSame = (row: Plan): Plan =>
        conjunction(
          context,
          node.span,
          ofRow.fields.map((_, i) =>
            checkComparison(
              context,
              { operator: '=', span: node.span, spans: [node.operand.span, places[1] ?? node.span] },
              fieldOf(use, i, span),
              fieldOf(row, i, span),
            ),
          ),
        );
      const isThere = (where: (row: Plan) => Plan): Plan => {
        const found = selectFrom(context, all, span, (row) => ({ item: row, where: where(row) }));
        return exists(found, span);
      };
      const same = isThere(isSame);
      const isOpen = (record: Plan, row: Plan): Plan => {
        const nulls = nullFields(record, span).map((plan) => ({ plan, span }));
        return conjunction(context, node.span, [checkLogical(context, 'or', node.span, nulls), isNull(isSame(row), span)]);
      };
      // A row that may be equal is found by comparing all pairs: of the rows that contain NULL, and of the tuples that do.
      const doubtful = [
        ...(rowsMayHoldNull ? [isThere((row) => isOpen(row, row))] : []),
        ...(tupleMayHoldNull ? [isThere((row) => isOpen(use, row))] : []),
      ];
      if ([same, ...doubtful].some((test) => test.kind === 'Call' && test.arguments.some(isFaulty))) return errorPlan(node.span);
      const type = nullable(boolOf());
      const branches = [
        { when: same, then: constant(type, true, span) },
        ...doubtful.map((when) => ({ when, then: constant(type, null, span) })),
      ];
      return unless(node, { kind: 'Case', type, span, branches, otherwise: constant(type, false, span) });
    }),
  );
}

/** Returns an IS NULL condition for each nullable field. */
function nullFields(record: Plan, span: Span): readonly Plan[] {
  const fields = record.type.kind === 'RecordType' ? record.type.fields.map((_, i) => fieldOf(record, i, span)) : [];
  return fields.filter(({ type }) => type.isNullable).map((field) => isNull(field, span));
}

function conjunction(context: CheckContext, span: Span, parts: readonly Plan[]): Plan {
  return checkLogical(
    context,
    'and',
    span,
    parts.map((plan) => ({ plan, span })),
  );
}

/** Returns the elements of `[…]` after IN if they may be texts of temporals. */
function listOf(right: Expression | null, operand: Plan): readonly Expression[] | null {
  return temporalName(operand.type) !== null && right?.kind === 'CollectionExpression' && right.elements.length > 0 ? right.elements : null;
}

function checkRightOfIn(context: CheckContext, node: InExpression, scope: Scope): Plan {
  if (node.right === null) throw new Error('IN is of a list or of a value');
  return checkValue(context, node.right, scope);
}

/** Checks the list of IN. A single element that is a collection is itself the list to search. */
function checkList(context: CheckContext, node: InExpression, list: readonly Expression[], operand: Plan, scope: Scope): Plan {
  const elements = list.map((element) => readAsFields(context, checkValue(context, element, scope), operand.type));
  const [only] = elements;
  if (elements.length === 1 && only?.type.kind === 'CollectionType') return only;
  const unified = unifyOperands(context, [operand, ...elements], [node.operand.span, ...list.map((element) => element.span)], {
    readsTemporals: true,
    advise: (index) => adviceForElement([node.operand, list[index - 1]], [operand, elements[index - 1]]),
  });
  if (unified === null) return errorPlan(node.span);
  const members = unified.slice(1);
  return { kind: 'CollectionLiteral', type: collectionOf(commonType(members)), span: placeOf(context, node.span), elements: members };
}

function adviceForElement(
  [tested, element]: readonly [Expression, Expression | undefined],
  [operand, plan]: readonly [Plan, Plan | undefined],
): string | null {
  return element === undefined || plan === undefined ? null : comparedWithText([tested, element], [operand, plan]);
}
