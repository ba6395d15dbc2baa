import { constant } from '../plan/build-plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { Span } from '../text/span.ts';
import type { Type } from '../types/type.ts';
import { quoteName } from '../types/print.ts';
import { bool, hasSameFields, isAssignable, isPrimitive, isSameType, notNullable, nullable, printType, unify } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';
import { isFaulty } from './operand.ts';
import { readTemporal, temporalName } from './temporal-text.ts';

/** Literal types whose text is also a valid text of each wider numeric type. */
const WIDENED_AS_TEXT: ReadonlySet<string> = new Set(['int', 'long', 'decimal']);

/** Returns whether values of two types have the same representation: the types differ in nullability only. */
function hasSameForm(a: Type, b: Type): boolean {
  if (a.kind === 'AnyType' && b.kind === 'AnyType') return true;
  if (a.kind === 'CollectionType' && b.kind === 'CollectionType') return hasSameForm(a.element, b.element);
  if (a.kind === 'RecordType' && b.kind === 'RecordType') return hasSameFields(a, b, hasSameForm);
  return isSameType(notNullable(a), notNullable(b));
}

/** The same plan with a type that has values of the same form. */
export function retyped(plan: Plan, type: Type): Plan {
  if (isSameType(plan.type, type)) return plan;
  return { ...plan, type } as Plan; // the node's own kind is kept: only the promise about its value changes
}

/** Widens a plan to a type that it is assignable to. */
export function convertTo(plan: Plan, type: Type): Plan {
  if (isFaulty(plan) || type.kind === 'ErrorType' || isSameType(plan.type, type)) return plan;
  const target = plan.type.isNullable ? nullable(type) : type;
  if (plan.kind === 'Constant') {
    if (plan.value === null) return { ...plan, type: target };
    if (plan.type.kind === 'PrimitiveType' && type.kind === 'PrimitiveType' && WIDENED_AS_TEXT.has(plan.type.name))
      return { ...plan, type: target };
  }
  if (plan.kind === 'CollectionLiteral' && type.kind === 'CollectionType') {
    return { ...plan, type: target, elements: plan.elements.map((element) => convertTo(element, type.element)) };
  }
  if (hasSameForm(plan.type, type)) return retyped(plan, target);
  return { kind: 'Convert', type: target, span: plan.span, operand: plan };
}

/** Widens a plan to a declared type, or reports that it cannot. */
export function expectType(context: CheckContext, plan: Plan, type: Type, span: Span): Plan {
  if (isFaulty(plan) || type.kind === 'ErrorType') return plan;
  const temporal = readAsTemporal(context, plan, type, span);
  if (temporal !== null) return temporal;
  if (!isAssignable(plan.type, type))
    return report(context, 'type-mismatch', span, printType(type), printType(plan.type), suggestionFor(plan, type));
  return convertTo(plan, type);
}

/** Widens an operand of a NULL-propagating operator: the result type is nullable only if the operand's is. */
export function expectOperand(context: CheckContext, plan: Plan, type: Type, span: Span): Plan {
  return expectType(context, plan, mayBeNull(plan) ? nullable(type) : notNullable(type), span);
}

/** Common mistakes of SQL users: a query of one row in place of a value, and one whose only item has a name. */
export function suggestionFor(plan: Plan, type: Type | null): string | null {
  return plan.kind === 'Select' && type?.kind !== 'CollectionType' ? valueOfQuery(plan.type, type?.kind === 'RecordType') : null;
}

/** Returns how to write the value of a query of a type, its first row or the only field of that; null if it is one already. */
export function valueOfQuery(type: Type, isRecordWanted: boolean): string | null {
  const row = type.kind === 'CollectionType' ? type.element : type;
  const [field, another] = row.kind === 'RecordType' && !isRecordWanted ? row.fields : [];
  const value = field === undefined || another !== undefined ? '' : `.${quoteName(field.name)}`;
  if (type.kind === 'CollectionType') return `CFIRST(SELECT …)${value}`;
  return value === '' ? null : `(SELECT …)${value}`;
}

/** Parses a string constant as a temporal if a temporal type is expected; otherwise null. */
export function readAsTemporal(context: CheckContext, plan: Plan, type: Type, span: Span): Plan | null {
  const [name, text] = [temporalName(type), constantText(plan)];
  if (name === null || text === null) return null;
  const value = readTemporal(name, text);
  return value === null ? report(context, 'bad-temporal', span, name, text) : constant(notNullable(type), value, plan.span);
}

/** Returns the value of a string constant, which is read as a temporal beside one; null of other plans. */
export function constantText(plan: Plan): string | null {
  return plan.kind === 'Constant' && typeof plan.value === 'string' && isPrimitive(plan.type, 'string') ? plan.value : null;
}

/**
 * Converts operands to their common type. Without one, reports each differing operand with both spans and returns null.
 * `advise` returns a replacement to suggest for an operand, if there is one.
 */
export function unifyOperands(
  context: CheckContext,
  operands: readonly Plan[],
  spans: readonly Span[],
  options: { readonly readsTemporals?: boolean; readonly advise?: (index: number) => string | null } = {},
): readonly Plan[] | null {
  const read = options.readsTemporals === true ? readStringsAsTemporals(context, operands, spans) : operands;
  let type: Type | undefined;
  let typedBy = 0;
  const strangers = new Set<string>();
  for (const [i, operand] of read.entries()) {
    if (isFaulty(operand)) continue;
    const unified = type === undefined ? operand.type : unify(type, operand.type);
    if (unified === null && type !== undefined) {
      const found = printType(operand.type);
      if (strangers.has(found)) continue;
      strangers.add(found);
      report(
        context,
        'incompatible-types',
        [spans[typedBy], spans[i]].filter((span) => span !== undefined),
        printType(type),
        found,
        suggestionFor(operand, type) ?? suggestionFor(read[typedBy] ?? operand, operand.type) ?? options.advise?.(i) ?? null,
      );
      continue;
    }
    if (operand.type.kind !== 'AnyType') typedBy = i;
    type = unified ?? type;
  }
  if (strangers.size > 0 || read.some(isFaulty)) return null;
  const common = type;
  return common === undefined ? [] : read.map((operand) => convertTo(operand, notNullable(common)));
}

function readStringsAsTemporals(context: CheckContext, operands: readonly Plan[], spans: readonly Span[]): readonly Plan[] {
  const temporal = operands.find(({ type }) => temporalName(type) !== null);
  if (temporal === undefined) return operands;
  return operands.map((operand, i) => readAsTemporal(context, operand, notNullable(temporal.type), spans[i] ?? operand.span) ?? operand);
}

/** The type of brought-together operands: nullable if one of them is. */
export function commonType(operands: readonly Plan[], extra: { readonly isNullable: boolean } = { isNullable: false }): Type {
  const first = operands[0]?.type;
  if (first === undefined) throw new Error('there is no common type of nothing');
  const unified = operands.reduce<Type>((type, operand) => unify(type, operand.type) ?? type, first);
  return extra.isNullable ? nullable(unified) : unified;
}

/** Returns whether the value of a plan may be NULL. */
export function mayBeNull(plan: Plan): boolean {
  return plan.type.isNullable;
}

/** `bool`, nullable if one of the plans may be NULL. */
export function boolOf(...plans: readonly Plan[]): Type {
  return plans.some(mayBeNull) ? nullable(bool) : bool;
}
