import { findFunction } from '../../functions/find-function.ts';
import { constant, nullOf } from '../../plan/build-plan.ts';
import type { Case, Plan } from '../../plan/plan.ts';
import type { CallExpression } from '../../syntax/ast.ts';
import { printExpression } from '../../syntax/print/print-expression.ts';
import type { Span } from '../../text/span.ts';
import type { FieldType, Type } from '../../types/type.ts';
import { isAssignable, isPrimitive, long, nullable, printType, string } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { placeOf, report } from '../check-context.ts';
import { letIn } from '../bind.ts';
import { boolOf, convertTo, suggestionFor } from '../convert.ts';
import { fitting } from '../element-advice.ts';
import { errorPlan, isFaulty } from '../operand.ts';
import { selectFrom } from '../map-collection.ts';
import { fieldOf, spread } from '../record-fields.ts';
import type { Scope } from '../scope.ts';
import { checkArguments } from './arguments.ts';
import { callOfBuiltin } from './builtin-call.ts';
import { entriesOf, valueType, withFieldsOf } from './shaped-calls.ts';

/** `GET(c, i)`: the element of a collection at a position; `GET(r, key)`: the value of that name in a record or an `any`. */
export function checkGet(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  const definition = findFunction('GET');
  if (definition === undefined) throw new Error('GET is a function');
  const args = checkArguments(context, node, scope);
  const [target, key] = args;
  const isNamed = target !== undefined && key !== undefined && args.length === 2 && !args.some(isFaulty) && hasNames(target, key);
  return isNamed ? valueNamed(context, node, target, key) : callOfBuiltin(context, { node, scope }, definition, args);
}

/** Returns whether GET finds by name. ERROR stands for a value of any type: with a position, for a collection. */
function hasNames({ type }: Plan, key: Plan): boolean {
  if (type.kind !== 'AnyType') return type.kind === 'RecordType';
  return !type.isUndetermined || (!type.isNullable && isPrimitive(key.type, 'string'));
}

/** The value of a name in a record or an `any`; NULL if there is none. Names are compared as they are written. */
function valueNamed(context: CheckContext, node: CallExpression, target: Plan, name: Plan): Plan {
  const [record, index] = node.arguments.map((argument) => argument.value);
  if (record === undefined || index === undefined) throw new Error('GET takes two arguments');
  const span = placeOf(context, node.span);
  if (!isAssignable(name.type, nullable(string))) {
    const isPlace = target.type.kind === 'AnyType' && isAssignable(name.type, nullable(long));
    const access = printExpression({ kind: 'IndexAccess', span: node.span, target: record, index });
    const advice = isPlace ? access : `CAST(${printExpression(index)} AS string)`;
    const isNested = name.type.kind === 'CollectionType' || name.type.kind === 'RecordType';
    return report(
      context,
      'type-mismatch',
      index.span,
      'string',
      printType(name.type),
      isNested ? suggestionFor(name, string) : fitting(advice),
    );
  }
  const value = valueType(context, target.type, record);
  if (value === null) return errorPlan(node.span);
  const key = convertTo(name, string);
  if (target.type.kind === 'AnyType') return { kind: 'Navigate', type: value, span, target, key };
  const type = nullable(value);
  const widened = withFieldsOf(target, value);
  if (key.kind === 'Constant') {
    const place = fieldsOf(target.type).findIndex(({ name: own }) => own === key.value);
    return place < 0 ? nullOf(type, span) : convertTo(fieldOf(widened, place, span), type);
  }
  return letIn(context, key, (sought) => {
    if (fieldsOf(target.type).length <= MOST_BRANCHES) return letIn(context, widened, (use) => fieldNamed(use, sought, type, span));
    const entries = entriesOf(context, node, widened, value);
    const found = selectFrom(context, entries, span, (entry) => ({
      where: isEqual(fieldOf(entry, 0, span), sought, span),
      item: fieldOf(entry, 1, span),
    }));
    return { kind: 'Element', type, span, target: found, index: constant(long, '0', span) };
  });
}

/** A record with more fields is searched by its entries: planning a branch for each of thousands of fields takes many seconds. */
const MOST_BRANCHES = 100;

function fieldsOf(type: Type): readonly FieldType[] {
  return type.kind === 'RecordType' ? type.fields : [];
}

function isEqual(left: Plan, right: Plan, span: Span): Plan {
  return { kind: 'Comparison', type: boolOf(left, right), span, operator: '=', left, right };
}

/** The field of a record that has a name known when the program runs, as a value of the type. */
function fieldNamed(record: Plan, sought: Plan, type: Type, span: Span): Plan {
  const otherwise = nullOf(type, span);
  const branches = spread(record, span).map(({ name, plan }): Case['branches'][number] => {
    return { when: isEqual(sought, constant(string, name, span), span), then: convertTo(plan, type) };
  });
  return branches.length === 0 ? otherwise : { kind: 'Case', type, span, branches, otherwise };
}
