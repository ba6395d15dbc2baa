import { assertNever } from '../assert-never.ts';
import { errorType } from './type-constructors.ts';
import type { RecordType, Type } from './type.ts';

/** Returns whether two types are the same. Names of a function's parameters do not count. */
export function isSameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.isNullable !== b.isNullable) return false;
  switch (a.kind) {
    case 'PrimitiveType':
      return b.kind === 'PrimitiveType' && a.name === b.name;
    case 'AnyType':
      return b.kind === 'AnyType' && a.isUndetermined === b.isUndetermined;
    case 'CollectionType':
      return b.kind === 'CollectionType' && isSameType(a.element, b.element);
    case 'RecordType':
      return b.kind === 'RecordType' && hasSameFields(a, b, isSameType);
    case 'FunctionType':
      return (
        b.kind === 'FunctionType' &&
        a.parameters.length === b.parameters.length &&
        isSameType(a.result, b.result) &&
        a.parameters.every((parameter, i) => isSameType(parameter.type, b.parameters[i]?.type ?? errorType))
      );
    case 'ErrorType':
      return b.kind === 'ErrorType';
    default:
      return assertNever(a);
  }
}

/** Returns whether two records have fields of the same names in the same order, and of types that `agree`. */
export function hasSameFields(a: RecordType, b: RecordType, agree: (x: Type, y: Type) => boolean): boolean {
  return (
    a.fields.length === b.fields.length &&
    a.fields.every((field, i) => {
      const other = b.fields[i];
      return other !== undefined && other.name === field.name && agree(field.type, other.type);
    })
  );
}
