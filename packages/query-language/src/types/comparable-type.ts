import { assertNever } from '../assert-never.ts';
import type { Type } from './type.ts';

/** Returns whether values of the type can be compared, ordered, and keys of groups, DISTINCT and the set operators: it contains no functions, regexes or `any`. */
export function isComparable(type: Type): boolean {
  switch (type.kind) {
    case 'PrimitiveType':
      return type.name !== 'regex';
    case 'AnyType':
      return type.isUndetermined;
    case 'CollectionType':
      return isComparable(type.element);
    case 'RecordType':
      return type.fields.every((field) => isComparable(field.type));
    case 'FunctionType':
      return false;
    case 'ErrorType':
      return true;
    default:
      return assertNever(type);
  }
}
