import { nullable, recordOf } from '../types/types.ts';
import type { Plan } from '../plan/plan.ts';
import type { Name } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import { printType } from '../types/print.ts';
import type { FieldType, Type } from '../types/type.ts';
import type { CheckContext } from './check-context.ts';
import { placeOf, report } from './check-context.ts';
import { mayBeNull } from './convert.ts';
import { errorPlan, isFaulty } from './operand.ts';
import { repeatedBy, spansOf } from './repeated.ts';
import { meant } from './scope.ts';
import { suggestName } from './suggest-name.ts';

/** A field with its value, of a record to be built. */
export interface NamedPlan {
  readonly name: string;
  readonly plan: Plan;
  readonly span: Span;
}

/** The record of checked fields; a repeated name is a fault at its places. */
export function makeRecord(context: CheckContext, span: Span, fields: readonly NamedPlan[]): Plan {
  const repeated = repeatedBy(fields, ({ name }) => name);
  for (const same of repeated) report(context, 'repeated-field', spansOf(same), same[0].name);
  if (repeated.length > 0 || fields.some((field) => isFaulty(field.plan))) return errorPlan(span);
  const type = recordOf(fields.map((field): FieldType => ({ name: field.name, type: field.plan.type })));
  return { kind: 'RecordLiteral', type, span: placeOf(context, span), values: fields.map((field) => field.plan) };
}

/** Resolves a field name to its index; null after a report if there is none, or more than one. */
export function fieldIndex(context: CheckContext, type: Type, name: Name): number | null {
  if (isFaulty(type)) return null;
  const fields = type.kind === 'RecordType' ? type.fields : [];
  const [index, another] = meant(name, (matches) => fields.flatMap((field, i) => (matches(field.name) ? [i] : [])));
  if (index !== undefined && another === undefined) return index;
  if (another !== undefined) report(context, 'ambiguous-name', name.span, name.text);
  else
    report(
      context,
      'no-such-field',
      name.span,
      name.text,
      printType(type),
      suggestName(
        name.text,
        fields.map((field) => field.name),
      ),
      context.values.sampledFields.get(fields) ?? null,
    );
  return null;
}

/** The plan of a record's field; NULL of a NULL record. */
export function fieldOf(target: Plan, index: number, span: Span): Plan {
  if (target.type.kind !== 'RecordType') throw new Error('only a record has fields');
  const field = target.type.fields[index];
  if (field === undefined) throw new Error('the field does not exist');
  if (target.kind === 'RecordLiteral') {
    const value = target.values[index];
    if (value?.kind === 'Constant') return value;
  }
  return { kind: 'Field', type: mayBeNull(target) ? nullable(field.type) : field.type, span, target, index };
}

/** Returns all fields of a record-valued plan, to build another record from them. */
export function spread(target: Plan, span: Span): readonly NamedPlan[] {
  if (target.type.kind !== 'RecordType') throw new Error('only a record can be spread');
  return target.type.fields.map((field, i) => ({ name: field.name, plan: fieldOf(target, i, span), span }));
}

/** Returns the fields of a record without the named ones; reports an unknown name. */
export function excluding(context: CheckContext, fields: readonly NamedPlan[], names: readonly Name[], type: Type): readonly NamedPlan[] {
  const excluded = new Set(names.map((name) => fieldIndex(context, type, name)));
  return fields.filter((_, i) => !excluded.has(i));
}
