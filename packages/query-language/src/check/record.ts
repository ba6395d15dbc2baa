import { constant, nullIfAnyNull } from '../plan/build-plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { BinaryExpression, ExcludeExpression, FieldAccess, IntoExpression, Name, RecordExpression } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import { anyType, notNullable, nullable, printType, string } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan, isFaulty, isNullAlone } from './operand.ts';
import { placeOf, report, usedAt } from './check-context.ts';
import { makeSetOperation } from './collection.ts';
import { letIn } from './bind.ts';
import { mayBeNull } from './convert.ts';
import { asData, checkValue } from './check-value.ts';
import type { NamedPlan } from './record-fields.ts';
import { excluding, fieldIndex, fieldOf, makeRecord, spread } from './record-fields.ts';
import type { NamedRows, Scope } from './scope.ts';
import { createCandidateScope, findCandidates, meant } from './scope.ts';
import { mapCollection } from './map-collection.ts';

/** `(a: 1, b: 2)`, or `(1, 2)` with fields `_1`, `_2`. */
export function checkRecord(context: CheckContext, node: RecordExpression, scope: Scope): Plan {
  const bare = node.fields.find((field) => field.name === null);
  const isMixed = bare !== undefined && node.fields.some((field) => field.name !== null);
  const fields = node.fields.map((field, i): NamedPlan => ({
    name: field.name?.text ?? `_${i + 1}`,
    plan: checkValue(context, field.value, scope),
    span: field.name?.span ?? field.span,
  }));
  return isMixed ? report(context, 'mixed-record-fields', bare.span) : makeRecord(context, node.span, fields);
}

/** `target.field`: of a record, of each record of a collection, of an `any`. */
export function checkFieldAccess(context: CheckContext, node: FieldAccess, scope: Scope): Plan {
  const named = node.target.kind === 'NameExpression' ? findCandidates(scope, node.target.name, () => true)[0] : undefined;
  const { row, rows } = named ?? {};
  const target = row === undefined ? checkValue(context, node.target, scope) : asData(context, row.use(node.target.span));
  const mayBeRow = target.type.kind !== 'RecordType' && target.type.kind !== 'AnyType';
  if (mayBeRow && isNameOfRows(rows, node.field)) return usedAt(context, target, node.span);
  if (isFaulty(target)) return target;
  if (target.type.kind === 'PrimitiveType' && node.target.kind === 'NameExpression' && rows !== undefined)
    return report(context, 'bare-value', node.field.span, node.field.text, node.target.name.text, printType(target.type));
  return accessField(context, target, node.field, placeOf(context, node.span));
}

/** Returns whether a field access names the rows themselves, of a source whose rows are not records: `d.x` of `(SELECT x FROM …) d`. */
function isNameOfRows(rows: NamedRows | undefined, field: Name): boolean {
  const name = rows?.name() ?? null;
  return name !== null && meant(field, (matches) => (matches(name) ? [name] : [])).length > 0;
}

/** `.field` of a checked target. */
function accessField(context: CheckContext, target: Plan, name: Name, span: Span): Plan {
  const type = target.type;
  if (type.kind === 'AnyType') {
    return { kind: 'Navigate', type: nullable(anyType), span, target, key: constant(string, name.text, span) };
  }
  if (type.kind === 'CollectionType' && type.element.kind === 'RecordType') {
    return mapCollection(context, target, span, (element) => accessField(context, element, name, span));
  }
  const index = fieldIndex(context, type, name);
  return index === null ? errorPlan(span) : fieldOf(target, index, span);
}

/** `r INTO (x: a, …)`: builds a record with r's fields in scope; maps over a collection of records. */
export function checkInto(context: CheckContext, node: IntoExpression, scope: Scope): Plan {
  const operand = checkValue(context, node.operand, scope);
  if (isFaulty(operand) || isNullAlone(operand)) return operand;
  const build = (record: Plan): Plan => {
    const fields = createCandidateScope(
      scope,
      spread(record, node.span).map(({ name, plan }) => ({
        name,
        use: (span: Span) => ({ ...plan, span: placeOf(context, span) }),
      })),
    );
    return checkRecord(context, node.record, fields);
  };
  return overRecords(context, operand, node.operand.span, build);
}

/** Checks `r EXCLUDE (a, b)`: removes fields. Maps over a collection of records. */
export function checkExclude(context: CheckContext, node: ExcludeExpression, scope: Scope): Plan {
  const operand = checkValue(context, node.operand, scope);
  if (isFaulty(operand) || isNullAlone(operand)) return operand;
  return overRecords(context, operand, node.operand.span, (record) =>
    makeRecord(context, node.span, excluding(context, spread(record, node.span), node.names, record.type)),
  );
}

/** Applies `build` to a record, or to each record of a collection; a NULL record stays NULL. */
function overRecords(context: CheckContext, operand: Plan, span: Span, build: (record: Plan) => Plan): Plan {
  const { type } = operand;
  if (type.kind === 'CollectionType' && type.element.kind === 'RecordType')
    return mapCollection(context, operand, placeOf(context, span), (element) => overRecords(context, element, span, build));
  if (type.kind !== 'RecordType') return report(context, 'record-expected', span, printType(type));
  return letIn(context, operand, (use) => unlessNull(context, use, span, build));
}

/** `build` of a plan that is not NULL, or NULL. */
function unlessNull(context: CheckContext, use: Plan, span: Span, build: (value: Plan) => Plan): Plan {
  if (!mayBeNull(use)) return build(use);
  const result = build({ ...use, type: notNullable(use.type) } as Plan);
  return nullIfAnyNull([use], result, placeOf(context, span));
}

/** `++`: the fields of both records, or the elements of both collections. */
export function appendRecords(context: CheckContext, node: BinaryExpression, left: Plan, right: Plan): Plan {
  if (isFaulty(left) || isFaulty(right)) return errorPlan(node.span);
  if (isNullAlone(left) && isNullAlone(right)) return left;
  if (left.type.kind !== 'RecordType' && right.type.kind !== 'RecordType') {
    return makeSetOperation(context, { operator: 'union-all', span: node.span, spans: [node.left.span, node.right.span] }, [left, right]);
  }
  return joinRecords(context, node, [left, right], (a, b) => [...a, ...b]);
}

/** `+++`: fields of the right record replace those of the left one in place, or are appended. */
export function updateRecord(context: CheckContext, node: BinaryExpression, left: Plan, right: Plan): Plan {
  if (isFaulty(left) || isFaulty(right)) return errorPlan(node.span);
  return joinRecords(context, node, [left, right], (a, b) => {
    const updated = a.map((field) => b.find((other) => other.name === field.name) ?? field);
    return [...updated, ...b.filter((field) => !a.some((other) => other.name === field.name))];
  });
}

function joinRecords(
  context: CheckContext,
  node: BinaryExpression,
  sides: readonly [Plan, Plan],
  join: (a: readonly NamedPlan[], b: readonly NamedPlan[]) => readonly NamedPlan[],
): Plan {
  for (const [i, side] of sides.entries()) {
    if (side.type.kind !== 'RecordType' && !isNullAlone(side))
      return report(context, 'record-expected', (i === 0 ? node.left : node.right).span, printType(side.type));
  }
  const [left, right] = sides;
  if (isNullAlone(left) || isNullAlone(right)) return isNullAlone(left) ? left : right;
  const whole = (a: Plan): Plan =>
    letIn(context, right, (useRight) =>
      unlessNull(context, useRight, node.span, (b) =>
        makeRecord(context, node.span, join(spread(a, node.left.span), spread(b, node.right.span))),
      ),
    );
  return letIn(context, left, (useLeft) => unlessNull(context, useLeft, node.span, whole));
}
