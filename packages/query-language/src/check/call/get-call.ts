import { findFunction } from '../../functions/find-function.ts';
import { constant, nullOf } from '../../plan/build-plan.ts';
import type { Case, Plan } from '../../plan/plan.ts';
import type { CallExpression } from '../../syntax/ast.ts';
import { printExpression } from '../../syntax/print/print-expression.ts';
import type { Span } from '../../text/span.ts';
import type { Type } from '../../types/type.ts';
import { isAssignable, isPrimitive, long, nullable, printType, string } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { placeOf, report } from '../check-context.ts';
import { letIn } from '../bind.ts';
import { boolOf, convertTo, suggestionFor } from '../convert.ts';
import { fitting } from '../element-advice.ts';
import { errorPlan, isFaulty } from '../operand.ts';
import { spread } from '../record-fields.ts';
import type { Scope } from '../scope.ts';
import { checkArguments } from './arguments.ts';
import { callOfBuiltin } from './builtin-call.ts';
import { valueType, withFieldsOf } from './shaped-calls.ts';

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
  return letIn(context, key, (sought) =>
    letIn(context, withFieldsOf(target, value), (use) => fieldNamed(use, sought, nullable(value), span)),
  );
}

/** The field of a record that has a name known when the program runs, as a value of the type. */
function fieldNamed(record: Plan, sought: Plan, type: Type, span: Span): Plan {
  const otherwise = nullOf(type, span);
  const branches = spread(record, span).map(({ name, plan }): Case['branches'][number] => {
    const right = constant(string, name, span);
    const when: Plan = { kind: 'Comparison', type: boolOf(sought), span, operator: '=', left: sought, right };
    return { when, then: convertTo(plan, type) };
  });
  return branches.length === 0 ? otherwise : { kind: 'Case', type, span, branches, otherwise };
}
