import type { Type } from '@svc/query-language';

/** Whether values of the type are decimals. */
export function isDecimal(type: Type): boolean {
  return type.kind === 'PrimitiveType' && type.name === 'decimal';
}

/** Whether values of the type are float or double: NaN, the infinities and -0.0 are among them. */
export function isFloating(type: Type): boolean {
  return type.kind === 'PrimitiveType' && (type.name === 'double' || type.name === 'float');
}
