import type { Type } from '../types/type.ts';

/** Where a function may be called: on values, on groups, over windows, or by a rule of its own in the checker. */
export type FunctionKind = 'scalar' | 'aggregate' | 'window' | 'special';

/** A type with holes: T, U, V are bound by the arguments; N is a number, I an integer, K can be compared, M is a moment (date or timestamp). */
export type TypePattern =
  | { readonly kind: 'Concrete'; readonly type: Type }
  | { readonly kind: 'Hole'; readonly name: string; readonly isNullable: boolean }
  | { readonly kind: 'CollectionPattern'; readonly element: TypePattern; readonly isNullable: boolean };

/** One way to call a function. */
export interface Overload {
  /** As written in the record, for instance `(s: string, count: int) -> string`; unique in its function. */
  readonly id: string;
  readonly parameters: readonly { readonly name: string | null; readonly pattern: TypePattern; readonly isOptional: boolean }[];
  /** The last parameter may be repeated. */
  readonly isVariadic: boolean;
  readonly result: TypePattern;
}

/** A query and its result as `hjson` prints it; run as a test. */
export interface FunctionExample {
  readonly query: string;
  readonly result: string;
}

/** All that the language knows of a built-in function. */
export interface FunctionDefinition {
  readonly name: string;
  readonly family: string;
  readonly kind: FunctionKind;
  readonly summary: string;
  readonly examples: readonly FunctionExample[];
  readonly overloads: readonly Overload[];
}
