import type { Plan } from '../../plan/plan.ts';
import type { CallExpression, TypedCallExpression } from '../../syntax/ast.ts';
import type { Span } from '../../text/span.ts';
import type { Type } from '../../types/type.ts';
import { isPrimitive, nullable, printType, string, undeterminedNull } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { resolve } from '../needs.ts';
import { errorPlan, isFaulty, isNullAlone } from '../operand.ts';
import { freshVariable, placeOf, report } from '../check-context.ts';
import { nullOf } from '../../plan/build-plan.ts';
import { foldConstant } from '../constant-value.ts';
import type { ReadNeed } from '../environment.ts';
import { checkValue } from '../check-value.ts';
import type { Scope } from '../scope.ts';
import { FIXED_READ_TYPES } from './fixed-read-types.ts';
import { READ_OPTIONS } from './option-rules.ts';
import { checkReadOptions } from './read-options.ts';
import { ownValue } from '../../own-value.ts';

/** Names of the read functions. They take precedence over other uses of the name. */
export const READ_FUNCTIONS: ReadonlySet<string> = new Set([
  ...Object.keys(READ_OPTIONS),
  ...Object.keys(READ_OPTIONS)
    .filter((name) => name.startsWith('READ'))
    .map((name) => `TRY_${name}`),
]);

/** `READ…(location [AS type] {, option := value})`: the type is given, or inferred by the resolver of the need. */
export function checkReadCall(
  context: CheckContext,
  node: CallExpression | TypedCallExpression,
  name: string,
  asType: Type | null,
  scope: Scope,
): Plan {
  const isTry = name.startsWith('TRY_');
  const functionName = isTry ? name.slice('TRY_'.length) : name;
  const [first] = node.arguments;
  if (first === undefined || first.name !== null) return report(context, 'missing-arguments', node.callee.span, ['location']);
  if (asType !== null && functionName in FIXED_READ_TYPES) return report(context, 'no-type-taken', first.value.span, name);
  const location = checkValue(context, first.value, scope);
  const options = checkReadOptions(context, functionName, node, scope);
  if (isFaulty(location) || options === null || asType?.kind === 'ErrorType') return errorPlan(node.span);
  if (isNullAlone(location)) return report(context, 'constant-needed', first.value.span, 'the location');
  if (!isPrimitive(location.type, 'string'))
    return report(context, 'type-mismatch', first.value.span, printType(string), printType(location.type), null);
  const folded = foldConstant(context.values, location);
  if (folded.kind === 'unknown' || options.isUnknown) return unknownRead(context, node.span, { functionName, isTry, asType });
  if (folded.kind === 'none' || typeof folded.value !== 'string')
    return report(context, 'constant-needed', first.value.span, 'the location');
  return readNeed(context, node.span, { function: functionName, isTry, location: folded.value, options: options.values, asType });
}

interface UnknownRead {
  readonly functionName: string;
  readonly isTry: boolean;
  readonly asType: Type | null;
}

/** Returns the plan of a read whose location depends on an argument of the enclosing function: of the declared type, if there is one. */
export function unknownRead(context: CheckContext, at: Span, { functionName, isTry, asType }: UnknownRead): Plan {
  const type = asType ?? ownValue(FIXED_READ_TYPES, functionName);
  if (type === undefined) {
    context.text.untypedReads.push(at);
    return errorPlan(at);
  }
  return { kind: 'Variable', type: isTry ? nullable(type) : type, span: at, id: freshVariable(context) };
}

/** Records the need of a read, and returns its plan if the need is resolved. */
export function readNeed(context: CheckContext, at: Span, wanted: Omit<ReadNeed, 'kind' | 'key'>): Plan {
  const { function: functionName, isTry, location, options, asType } = wanted;
  const key = JSON.stringify([functionName, isTry, location, options, asType === null ? null : printType(asType)]);
  const need: ReadNeed = { kind: 'read', key, ...wanted };
  const answer = resolve(context, need, context.environment.findRead(need));
  if (answer === undefined) return errorPlan(at);
  const span = placeOf(context, at);
  if ('problem' in answer) {
    if (!isTry || answer.isMisuse === true) return report(context, 'read-failed', at, answer.problem);
    return nullOf(asType === null ? undeterminedNull : nullable(asType), span);
  }
  if (answer.sampledRows !== undefined) noteSampled(context, answer.type, answer.sampledRows);
  const read: Plan = { kind: 'Read', type: answer.type, span, key };
  return isTry ? { kind: 'Convert', type: nullable(answer.type), span, operand: read } : read;
}

/** Records for each record type that unsampled rows may have more fields. */
function noteSampled(context: CheckContext, type: Type, rows: number): void {
  if (type.kind === 'CollectionType') noteSampled(context, type.element, rows);
  if (type.kind !== 'RecordType') return;
  context.values.sampledFields.set(type.fields, rows);
  for (const field of type.fields) noteSampled(context, field.type, rows);
}
