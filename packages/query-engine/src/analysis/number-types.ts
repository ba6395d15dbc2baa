import type { Type } from '@svc/query-language';

/** Returns whether a type is decimal. */
export function isDecimal(type: Type): boolean {
  return type.kind === 'PrimitiveType' && type.name === 'decimal';
}

/** Returns whether a type is one of integers. */
export function isInteger(type: Type): boolean {
  return type.kind === 'PrimitiveType' && ['byte', 'short', 'int', 'long'].includes(type.name);
}
