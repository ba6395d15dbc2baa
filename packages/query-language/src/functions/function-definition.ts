import type { Expression } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';

/** Where a function may be called: on values, on groups, over windows, or by a rule of its own in the checker. */
export type FunctionKind = 'scalar' | 'aggregate' | 'window' | 'special';

/**
 * A type with holes: T, U, V are bound by the arguments; N is a number, I an integer, K can be compared, M is a moment (date or
 * timestamp), R a record or any. What only a rule of the checker understands (functions, records with holes) is opaque.
 */
export type TypePattern =
  | { readonly kind: 'Concrete'; readonly type: Type }
  | { readonly kind: 'Hole'; readonly name: string; readonly isNullable: boolean }
  | { readonly kind: 'CollectionPattern'; readonly element: TypePattern; readonly isNullable: boolean }
  | { readonly kind: 'OpaquePattern'; readonly isNullable: boolean };

/** A parameter; one with a default may be left out. */
export interface OverloadParameter {
  readonly name: string | null;
  readonly pattern: TypePattern;
  /** A literal. */
  readonly defaultValue: Expression | null;
}

/** One way to call a function. */
export interface Overload {
  /** As written in the record, for instance `(text: string, from: int, length: int := -1) -> string`; unique in its function. */
  readonly id: string;
  readonly parameters: readonly OverloadParameter[];
  /** The last parameter may be repeated. */
  readonly isVariadic: boolean;
  readonly result: TypePattern;
}

/** A query and its result as `json` or `hjson` prints it; run as a test. */
export interface FunctionExample {
  readonly query: string;
  readonly result: string;
}

/** All that the language knows of a built-in function. */
export interface FunctionDefinition {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly family: string;
  readonly kind: FunctionKind;
  /** Whether it can fail on values of its types: such a call must stay behind the conditions that guard it. */
  readonly canFail: boolean;
  readonly summary: string;
  /** What NULL does, in words. */
  readonly nulls: string;
  readonly examples: readonly FunctionExample[];
  readonly overloads: readonly Overload[];
}
