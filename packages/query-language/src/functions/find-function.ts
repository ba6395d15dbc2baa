import { AGGREGATE_FUNCTIONS, WINDOW_FUNCTIONS } from './aggregate-functions.ts';
import { BINARY_FUNCTIONS } from './binary-functions.ts';
import { COLLECTION_FUNCTIONS } from './collection-functions.ts';
import { CONVERSION_FUNCTIONS } from './conversion-functions.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { MATH_FUNCTIONS } from './math-functions.ts';
import { RECORD_FUNCTIONS } from './record-functions.ts';
import { STRING_FUNCTIONS } from './string-functions.ts';
import { TEMPORAL_FUNCTIONS } from './temporal-functions.ts';
import { VALUE_FUNCTIONS } from './value-functions.ts';

/** All built-in functions, by family. */
export const FUNCTIONS: readonly FunctionDefinition[] = [
  ...CONVERSION_FUNCTIONS,
  ...VALUE_FUNCTIONS,
  ...STRING_FUNCTIONS,
  ...BINARY_FUNCTIONS,
  ...TEMPORAL_FUNCTIONS,
  ...MATH_FUNCTIONS,
  ...COLLECTION_FUNCTIONS,
  ...RECORD_FUNCTIONS,
  ...AGGREGATE_FUNCTIONS,
  ...WINDOW_FUNCTIONS,
];

const BY_NAME: ReadonlyMap<string, FunctionDefinition> = new Map(
  FUNCTIONS.flatMap((definition) => [definition.name, ...definition.aliases].map((name) => [name, definition] as const)),
);

/** The built-in function of a name or another name for it, in any case. */
export function findFunction(name: string): FunctionDefinition | undefined {
  return BY_NAME.get(name.toUpperCase());
}

/** The names of all built-in functions, to suggest from. */
export function functionNames(): readonly string[] {
  return FUNCTIONS.map((definition) => definition.name);
}
