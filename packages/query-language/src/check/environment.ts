/**
 * The environment of a check. The check is pure and synchronous: it looks types and names up here, records a need if one is
 * missing, and continues with an error type. The caller resolves all needs and checks again.
 */
import type { Type } from '../types/type.ts';

/** Value of a constant option or location: any JSON value. */
export type OptionValue = null | boolean | number | string | readonly OptionValue[] | { readonly [name: string]: OptionValue };

/** Requests the type (and reader) of a READ. `asType` null: infer it. */
export interface ReadNeed {
  readonly kind: 'read';
  /** Unique for function, location, options and type: the key of the answer, and of the plan's Read node. */
  readonly key: string;
  /** READ, READ_CSV, … , DESCRIBE, LS, LL; a TRY_ form has `isTry`. */
  readonly function: string;
  readonly isTry: boolean;
  readonly location: string;
  readonly options: { readonly [name: string]: OptionValue };
  readonly asType: Type | null;
}

/** An undeclared name: a view or a table of the caller's namespace, matched without regard to case unless `isQuoted`. */
export interface NameNeed {
  readonly kind: 'name';
  readonly key: string;
  readonly name: string;
  readonly isQuoted: boolean;
}

/** A package that is imported; found without regard to case unless `isQuoted`. */
export interface PackageNeed {
  readonly kind: 'package';
  readonly key: string;
  readonly name: string;
  readonly isQuoted: boolean;
}

/** A missing input of the check: the type of a read, the definition of a name, the text of a package. */
export type Need = ReadNeed | NameNeed | PackageNeed;

/**
 * Result of a ReadNeed: a type (with the number of sampled rows, if unsampled rows may have more fields), or a problem. A
 * problem is a diagnostic at the READ; a TRY form yields NULL instead, unless `isMisuse`: the query is wrong whatever the
 * source holds.
 */
export type ReadAnswer = { readonly type: Type; readonly sampledRows?: number } | { readonly problem: string; readonly isMisuse?: boolean };

/**
 * Result of a NameNeed. A view comes with its text; faults in it are one `view-invalid` diagnostic at its name. `type` is
 * the type it was stored with, or null if none was stored.
 */
export type NameAnswer =
  | { readonly kind: 'view'; readonly name: string; readonly text: string; readonly type: Type | null }
  | { readonly kind: 'table'; readonly name: string; readonly type: Type }
  /** The name exists but may not be used here. */
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'nothing'; readonly candidates: readonly string[] };

/** Result of a PackageNeed. */
export type PackageAnswer =
  | { readonly kind: 'package'; readonly name: string; readonly text: string }
  | { readonly kind: 'nothing'; readonly candidates: readonly string[] };

/** Format of a text whose type is inferred. */
export type TextFormat = 'json' | 'csv' | 'xml';

/** Type inferred from a text, and its dialect if the format has several; or why it is not a text of the format. */
export type TextAnswer =
  | { readonly type: Type; readonly dialect?: { readonly delimiter: string; readonly hasHeader: boolean } }
  | { readonly problem: string };

/** Types and names resolved so far. `undefined`: not requested yet. */
export interface CheckEnvironment {
  readonly findRead: (need: ReadNeed) => ReadAnswer | undefined;
  readonly findName: (need: NameNeed) => NameAnswer | undefined;
  readonly findPackage: (need: PackageNeed) => PackageAnswer | undefined;
  /** Infers the type of a constant text. Synchronous: it needs nothing but the text. */
  readonly inferText: (format: TextFormat, text: string) => TextAnswer;
}
