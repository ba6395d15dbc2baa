import { assertNever } from '../assert-never.ts';
import { rankOf } from './numeric-types.ts';
import { hasSameFields, isSameType } from './same-type.ts';
import { anyType, collectionOf, errorType, notNullable, nullable, primitive, recordOf, timestamp } from './type-constructors.ts';
import type { ErrorType, FieldType, PrimitiveName, RecordType, Type } from './type.ts';

/** Returns the common type after promotion, or null if there is none. */
export function unify(a: Type, b: Type): Type | null {
  if (a === b) return a;
  if (a.kind === 'ErrorType' || b.kind === 'ErrorType') return errorType;
  const isNullable = a.isNullable || b.isNullable;
  const found = unifyForms(a, b);
  return found !== null && isNullable ? nullable(found) : found;
}

function unifyForms(a: Exclude<Type, ErrorType>, b: Exclude<Type, ErrorType>): Type | null {
  if (a.kind === 'AnyType' && a.isUndetermined) return notNullable(b);
  if (b.kind === 'AnyType' && b.isUndetermined) return notNullable(a);
  if (a.kind === 'FunctionType' || b.kind === 'FunctionType') return isSameType(notNullable(a), notNullable(b)) ? notNullable(a) : null;
  if (a.kind === 'AnyType' || b.kind === 'AnyType') return anyType;
  if (a.kind === 'PrimitiveType' && b.kind === 'PrimitiveType') return unifyPrimitives(a.name, b.name);
  if (a.kind === 'CollectionType' && b.kind === 'CollectionType') {
    const element = unify(a.element, b.element);
    return element === null ? null : collectionOf(element);
  }
  if (a.kind === 'RecordType' && b.kind === 'RecordType') return unifyRecords(a, b);
  return null;
}

function unifyPrimitives(a: PrimitiveName, b: PrimitiveName): Type | null {
  if (a === b) return primitive(a);
  if ((a === 'date' && b === 'timestamp') || (a === 'timestamp' && b === 'date')) return timestamp;
  const [i, j] = [rankOf(a), rankOf(b)];
  if (i < 0 || j < 0) return null;
  const wider = i > j ? a : b;
  const other = i > j ? b : a;
  return primitive(wider === 'decimal' && (other === 'float' || other === 'double') ? 'double' : wider);
}

function unifyRecords(a: RecordType, b: RecordType): Type | null {
  if (a.fields.length !== b.fields.length) return null;
  const fields: FieldType[] = [];
  for (const [i, field] of a.fields.entries()) {
    const other = b.fields[i];
    const type = other === undefined || other.name !== field.name ? null : unify(field.type, other.type);
    if (type === null) return null;
    fields.push({ name: field.name, type });
  }
  return recordOf(fields);
}

/** Returns whether a value of `from` is accepted where `to` is declared, after widening that cannot fail. */
export function isAssignable(from: Type, to: Type): boolean {
  if (from.kind === 'ErrorType' || to.kind === 'ErrorType') return true;
  if (from.isNullable && !to.isNullable) return false;
  if (from.kind === 'AnyType' && from.isUndetermined) return true;
  if (to.kind === 'AnyType') return from.kind !== 'FunctionType';
  switch (from.kind) {
    case 'PrimitiveType':
      return to.kind === 'PrimitiveType' && widens(from.name, to.name);
    case 'CollectionType':
      return to.kind === 'CollectionType' && isAssignable(from.element, to.element);
    case 'RecordType':
      return to.kind === 'RecordType' && hasSameFields(from, to, isAssignable);
    case 'FunctionType':
      return (
        to.kind === 'FunctionType' &&
        from.parameters.length === to.parameters.length &&
        isAssignable(from.result, to.result) &&
        from.parameters.every((parameter, i) => isAssignable(to.parameters[i]?.type ?? errorType, parameter.type))
      );
    case 'AnyType':
      return false;
    default:
      return assertNever(from);
  }
}

function widens(from: PrimitiveName, to: PrimitiveName): boolean {
  if (from === to || (from === 'date' && to === 'timestamp')) return true;
  const [i, j] = [rankOf(from), rankOf(to)];
  return i >= 0 && j >= 0 && i < j && !(to === 'decimal' && (from === 'float' || from === 'double'));
}
