import { CONSTANT_REGEX } from '../../functions/constant-argument.ts';
import { typeOfMatch } from '../../functions/regex-groups.ts';
import type { Plan } from '../../plan/plan.ts';
import type { CallExpression, Expression } from '../../syntax/ast.ts';
import { printExpression } from '../../syntax/print/print-expression.ts';
import type { FieldType, Type } from '../../types/type.ts';
import {
  anyType,
  canWideningFail,
  collectionOf,
  elementOrItself,
  nullable,
  printType,
  recordOf,
  regex,
  string,
  unify,
} from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, isFaulty, isNullAlone } from '../operand.ts';
import { placeOf, refuse, report } from '../check-context.ts';
import { convertTo, expectOperand, mayBeNull } from '../convert.ts';
import { checkValue } from '../check-value.ts';
import { fitting } from '../element-advice.ts';
import type { Scope } from '../scope.ts';
import { checkConstantArguments } from './constant-arguments.ts';
import { argumentSpan, argumentSpans, checkArguments, hasCount } from './arguments.ts';

/** `ZIP(c, d, …)`: records `_1, _2, …` of the elements at each position. */
export function checkZip(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  const args = checkArguments(context, node, scope);
  if (args.length === 0) return report(context, 'argument-count', node.callee.span, '1 or more', 0);
  const fields = args.flatMap((arg, i): readonly FieldType[] => {
    if (isFaulty(arg)) return [];
    if (arg.type.kind === 'CollectionType' || isNullAlone(arg)) return [{ name: `_${i + 1}`, type: elementOrItself(arg.type) }];
    report(context, 'collection-expected', argumentSpan(node, i), printType(arg.type));
    return [];
  });
  if (fields.length < args.length) return errorPlan(node.span);
  return shapedCall(context, node, { name: 'ZIP', type: collectionOf(recordOf(fields)), args });
}

/** `ENTRIES(r)`: name and value of each field; the values must have one type. */
export function checkEntries(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  const [argument] = node.arguments;
  if (!hasCount(context, node, 1) || argument === undefined) return errorPlan(node.span);
  const record = checkValue(context, argument.value, scope);
  if (isFaulty(record)) return record;
  const value = valueType(context, record.type, argument.value);
  if (value === null) return errorPlan(node.span);
  return entriesOf(context, node, withFieldsOf(record, value), value);
}

/** The entries of a record whose values have a type in common, or of an `any`. */
export function entriesOf(context: CheckContext, node: CallExpression, record: Plan, value: Type): Plan {
  const entry = recordOf([
    { name: 'key', type: string },
    { name: 'value', type: value },
  ]);
  return shapedCall(context, node, { name: 'ENTRIES', type: collectionOf(entry), args: [record] });
}

/** Converts the fields of a record to one type if the widening can fail, so that the error has the position of the record. */
export function withFieldsOf(record: Plan, value: Type): Plan {
  if (record.type.kind !== 'RecordType') return record;
  const widened = recordOf(record.type.fields.map(({ name }) => ({ name, type: value })));
  return canWideningFail(record.type, widened) ? convertTo(record, widened) : record;
}

/** Returns the type that the values of a record's fields, or of an object's members, have in common; null after a report. */
export function valueType(context: CheckContext, type: Type, written: Expression): Type | null {
  const { span } = written;
  if (type.kind === 'AnyType') return nullable(anyType);
  if (type.kind !== 'RecordType') return refuse(context, 'argument-type', span, ['record', 'any'], printType(type), null);
  let common = type.fields[0]?.type ?? nullable(anyType);
  for (const field of type.fields) {
    const unified = unify(common, field.type);
    if (unified === null) {
      const advice = fitting(`CAST(${printExpression(written)} AS any)`);
      return refuse(context, 'incompatible-types', span, printType(common), printType(field.type), advice);
    }
    common = unified;
  }
  return common;
}

/** `PARSE(s, r)`: the captures of a regex that matches the whole text. If it does not match, PARSE fails, and TRY_PARSE is NULL. */
export function checkParse(context: CheckContext, node: CallExpression, scope: Scope, name: 'PARSE' | 'TRY_PARSE'): Plan {
  if (!hasCount(context, node, 2)) return errorPlan(node.span);
  const args = node.arguments.map((argument, i) => {
    const plan = checkValue(context, argument.value, scope);
    return expectOperand(context, plan, i === 0 ? string : regex, argument.value.span);
  });
  if (args.some(isFaulty)) return errorPlan(node.span);
  const checked = checkConstantArguments(context, CONSTANT_REGEX, args, argumentSpans(node));
  if (checked === 'unknown') {
    context.text.untypedReads.push(node.span);
    return errorPlan(node.span);
  }
  const pattern = checked?.[1];
  if (checked === null || pattern?.kind !== 'Constant') return errorPlan(node.span);
  const type = typeof pattern.value === 'string' ? typeOfMatch(pattern.value) : nullable(string);
  return shapedCall(context, node, { name, type: name === 'TRY_PARSE' ? nullable(type) : type, args: checked });
}

/** Checks a call whose result type depends on more than its signature. NULL if an argument is NULL. */
function shapedCall(
  context: CheckContext,
  node: CallExpression,
  { name, type, args }: { readonly name: string; readonly type: Type; readonly args: readonly Plan[] },
): Plan {
  const isNullable = args.some(mayBeNull);
  return {
    kind: 'Call',
    type: isNullable ? nullable(type) : type,
    span: placeOf(context, node.span),
    function: name,
    arguments: args,
  };
}
