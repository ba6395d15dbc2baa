import type { Plan } from '../plan/plan.ts';
import type { OptionValue } from './environment.ts';

/** The value of a plan that is constant: literals, records and collections of them. Undefined where it is not. */
export function constantValue(plan: Plan): OptionValue | undefined {
  switch (plan.kind) {
    case 'Constant': return constantOf(plan);
    case 'Convert': return constantValue(plan.operand);
    case 'CollectionLiteral': {
      const values = plan.elements.map(constantValue);
      return values.every((value) => value !== undefined) ? values : undefined;
    }
    case 'RecordLiteral': {
      if (plan.type.kind !== 'RecordType') return undefined;
      const entries = plan.type.fields.map((field, i) => [field.name, plan.values[i] === undefined ? undefined : constantValue(plan.values[i])] as const);
      return entries.every(([, value]) => value !== undefined) ? Object.fromEntries(entries.map(([name, value]) => [name, value ?? null])) : undefined;
    }
    default: return undefined;
  }
}

function constantOf(plan: Plan & { readonly kind: 'Constant' }): OptionValue {
  const { value, type } = plan;
  const isNumber = type.kind === 'PrimitiveType' && ['byte', 'short', 'int', 'long', 'float', 'double', 'decimal'].includes(type.name);
  return isNumber && typeof value === 'string' ? Number(value) : value;
}
