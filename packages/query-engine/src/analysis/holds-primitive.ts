import type { Plan, PrimitiveName, Type } from '@svc/query-language';

/** Returns whether values of a type contain some primitive, directly or in their parts. */
export function holdsPrimitive(type: Type, name: PrimitiveName): boolean {
  if (type.kind === 'CollectionType') return holdsPrimitive(type.element, name);
  if (type.kind === 'RecordType') return type.fields.some((field) => holdsPrimitive(field.type, name));
  return type.kind === 'PrimitiveType' && type.name === name;
}

/** Returns whether a type contains intervals, for which the engine's list functions consider 30 days and one month different. */
export function holdsInterval(type: Type): boolean {
  return holdsPrimitive(type, 'interval');
}

/** Returns whether the value of a plan is an interval. */
export function isInterval({ type }: Plan): boolean {
  return type.kind === 'PrimitiveType' && type.name === 'interval';
}
