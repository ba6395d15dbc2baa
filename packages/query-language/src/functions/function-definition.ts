import type { Expression } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import type { FunctionFacts } from './function-facts.ts';

/** Kind of a function: over values, groups or windows, or with a rule of its own in the checker. */
export type FunctionKind = 'scalar' | 'aggregate' | 'window' | 'special';

/**
 * A type with holes: T, U, V are bound by the arguments; N is a number, I an integer, K is comparable, M is a moment (date
 * or timestamp), R a record or any. Types that only a rule of the checker handles (functions, records with holes) are
 * opaque.
 */
export type TypePattern =
  | { readonly kind: 'Concrete'; readonly type: Type }
  | { readonly kind: 'Hole'; readonly name: string; readonly isNullable: boolean }
  | { readonly kind: 'CollectionPattern'; readonly element: TypePattern; readonly isNullable: boolean }
  | { readonly kind: 'OpaquePattern'; readonly isNullable: boolean };

/** A parameter; one with a default is optional. */
export interface OverloadParameter {
  readonly name: string | null;
  readonly pattern: TypePattern;
  /** A literal. */
  readonly defaultValue: Expression | null;
}

/** A signature of a function. */
export interface Overload {
  /**
   * The signature as written in the record, for instance `(text: string, from: int, length: int := -1) -> string`; unique in
   * its function.
   */
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

/** Definition of a built-in function. */
export interface FunctionDefinition extends FunctionFacts {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly family: string;
  readonly kind: FunctionKind;
  /** True if the function can fail on values of its types: such a call must stay behind the conditions that guard it. */
  readonly canFail: boolean;
  readonly summary: string;
  /** NULL behaviour, in words. */
  readonly nulls: string;
  readonly examples: readonly FunctionExample[];
  readonly overloads: readonly Overload[];
}
