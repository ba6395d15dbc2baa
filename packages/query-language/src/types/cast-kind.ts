import { rankOf } from './numeric-types.ts';
import { isSameType } from './same-type.ts';
import { isPrimitive, notNullable } from './type-constructors.ts';
import type { PrimitiveName, RecordType, Type } from './type.ts';
import { isAssignable } from './unify.ts';

/** Result of a CAST: nothing to do, always succeeds, fails for some values, or for all. */
export type CastKind = 'identity' | 'always' | 'may-fail' | 'impossible';

/** Returns the kind of a CAST between two types. NULL at the top level stays NULL and is not counted. */
export function castKind(from: Type, to: Type): CastKind {
  if (from.kind === 'ErrorType' || to.kind === 'ErrorType') return 'always';
  if (from.kind === 'FunctionType' || to.kind === 'FunctionType') return 'impossible';
  if (isSameType(notNullable(from), notNullable(to))) return 'identity';
  if (from.kind === 'AnyType') return to.kind === 'AnyType' ? 'identity' : holdsCode(to) ? 'impossible' : 'may-fail';
  if (to.kind === 'AnyType') return 'always';
  if (isAssignable(notNullable(from), notNullable(to)) && !canWideningFail(from, to)) return 'always';
  if (from.kind === 'PrimitiveType' && to.kind === 'PrimitiveType') return castPrimitives(from.name, to.name);
  if (to.kind === 'PrimitiveType') return to.name === 'string' ? 'always' : 'impossible';
  if (from.kind === 'CollectionType' && to.kind === 'CollectionType') return castMember(from.element, to.element);
  if (from.kind === 'RecordType' && to.kind === 'RecordType') return castRecords(from, to);
  return 'impossible';
}

/** Returns whether an implicit widening can fail: some dates are outside the range of timestamps. */
export function canWideningFail(from: Type, to: Type): boolean {
  if (from.kind === 'CollectionType' && to.kind === 'CollectionType') return canWideningFail(from.element, to.element);
  if (from.kind === 'RecordType' && to.kind === 'RecordType')
    return from.fields.some(({ type }, i) => canWideningFail(type, to.fields[i]?.type ?? type));
  return isPrimitive(from, 'date') && isPrimitive(to, 'timestamp');
}

/** Returns whether a type contains a regex or a function, which no data can provide. */
function holdsCode(type: Type): boolean {
  if (type.kind === 'CollectionType') return holdsCode(type.element);
  if (type.kind === 'RecordType') return type.fields.some((field) => holdsCode(field.type));
  return type.kind === 'FunctionType' || isPrimitive(type, 'regex');
}

function castPrimitives(from: PrimitiveName, to: PrimitiveName): CastKind {
  if (from === 'regex' || to === 'regex') return 'impossible';
  if (to === 'string') return from === 'binary' ? 'may-fail' : 'always';
  if (from === 'string') return to === 'binary' ? 'always' : 'may-fail';
  const [i, j] = [rankOf(from), rankOf(to)];
  if (i >= 0 && j >= 0) return i < j && to !== 'decimal' ? 'always' : 'may-fail';
  if (from === 'bool' || to === 'bool') return i >= 0 || j >= 0 ? 'always' : 'impossible';
  if (from === 'timestamp' && (to === 'date' || to === 'time')) return 'always';
  return from === 'date' && to === 'timestamp' ? 'may-fail' : 'impossible';
}

/** A member's NULL needs a nullable type. */
function castMember(from: Type, to: Type): CastKind {
  const kind = castKind(from, to);
  return kind !== 'impossible' && from.isNullable && !to.isNullable ? 'may-fail' : kind;
}

function castRecords(from: RecordType, to: RecordType): CastKind {
  const kinds = to.fields.map((field): CastKind => {
    const source = from.fields.find((candidate) => candidate.name === field.name);
    if (source === undefined) return field.type.isNullable ? 'always' : 'impossible';
    return castMember(source.type, field.type);
  });
  if (kinds.includes('impossible')) return 'impossible';
  return kinds.includes('may-fail') ? 'may-fail' : 'always';
}
