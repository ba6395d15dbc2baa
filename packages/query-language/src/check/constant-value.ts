import type { Plan } from '../plan/plan.ts';
import type { OptionValue } from './environment.ts';

/** The value of a plan that is constant: literals, records and collections of them. Undefined where it is not. */
export function constantValue(plan: Plan): OptionValue | undefined {
  if (plan.kind === 'Constant') return constantOf(plan);
  if (plan.kind === 'Convert') return constantValue(plan.operand);
  if (plan.kind === 'CollectionLiteral') return allOf(plan.elements);
  if (plan.kind !== 'RecordLiteral' || plan.type.kind !== 'RecordType') return undefined;
  const values = allOf(plan.values);
  return values === undefined ? undefined : Object.fromEntries(plan.type.fields.map((field, i) => [field.name, values[i] ?? null]));
}

function allOf(plans: readonly Plan[]): readonly OptionValue[] | undefined {
  const values = plans.map(constantValue);
  return values.every((value) => value !== undefined) ? values : undefined;
}

function constantOf(plan: Plan & { readonly kind: 'Constant' }): OptionValue {
  const { value, type } = plan;
  const isNumber = type.kind === 'PrimitiveType' && ['byte', 'short', 'int', 'long', 'float', 'double', 'decimal'].includes(type.name);
  return isNumber && typeof value === 'string' ? Number(value) : value;
}
