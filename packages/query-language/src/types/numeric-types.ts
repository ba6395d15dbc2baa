import type { PrimitiveName } from './type.ts';

/** The numeric types, narrowest first: each widens to all that follow, decimal with float or double apart. */
export const NUMERIC_NAMES = ['byte', 'short', 'int', 'long', 'float', 'double', 'decimal'] as const satisfies readonly PrimitiveName[];

/** Returns whether a name is that of a numeric type. */
export function isNumericName(name: string): name is (typeof NUMERIC_NAMES)[number] {
  return (NUMERIC_NAMES as readonly string[]).includes(name);
}

/** The place of a type among the numeric ones; negative for one that is none. */
export function rankOf(name: PrimitiveName): number {
  return (NUMERIC_NAMES as readonly PrimitiveName[]).indexOf(name);
}
