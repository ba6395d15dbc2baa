import type { NumericName, PrimitiveName, Type } from './type.ts';

/** The numeric types, narrowest first. Each widens to all that follow, except decimal with float or double. */
export const NUMERIC_NAMES = ['byte', 'short', 'int', 'long', 'float', 'double', 'decimal'] as const satisfies readonly NumericName[];

/** Returns whether a name is that of a numeric type. */
export function isNumericName(name: string): name is NumericName {
  return (NUMERIC_NAMES as readonly string[]).includes(name);
}

/** Returns the rank of a numeric type; negative for other types. */
export function rankOf(name: PrimitiveName): number {
  return (NUMERIC_NAMES as readonly PrimitiveName[]).indexOf(name);
}

/** Returns whether a type is float or double, which include NaN, the infinities and -0.0. */
export function isFloating(type: Type): boolean {
  return type.kind === 'PrimitiveType' && (type.name === 'double' || type.name === 'float');
}
