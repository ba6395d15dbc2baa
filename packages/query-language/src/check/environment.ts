/**
 * What the checker asks of the world. The check is pure and synchronous: it looks answers up here, notes a
 * need where one is missing, and goes on with an error type; the caller fetches all needs and checks again.
 */
import type { Type } from '../types/type.ts';

/** The value of a constant option or location: what JSON can say. */
export type OptionValue = null | boolean | number | string | readonly OptionValue[] | { readonly [name: string]: OptionValue };

/** A READ whose type (and way of reading) is wanted. `asType` null: infer it. */
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

/** A name that is no declaration: a view or a table of the caller's namespace, found without regard to case unless `isQuoted`. */
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

/** What the check must be told before it can go on: the type of a read, what a name is, the code of a package. */
export type Need = ReadNeed | NameNeed | PackageNeed;

/**
 * The answers to a ReadNeed: a type (with the number of rows that it was found out from, where others may have more fields), or why it cannot be read (a validation error at the READ; NULL for a TRY form, unless
 * it is the query that is at fault, whatever the source holds).
 */
export type ReadAnswer = { readonly type: Type; readonly sampledRows?: number } | { readonly problem: string; readonly isMisuse?: boolean };

/**
 * The answers to a NameNeed. A view brings its text; what of it fails to check is a `view-invalid` error at its name. Its `type`
 * is what was promised when it was stored; null: nothing was.
 */
export type NameAnswer =
  | { readonly kind: 'view'; readonly name: string; readonly text: string; readonly type: Type | null }
  | { readonly kind: 'table'; readonly name: string; readonly type: Type }
  /** It exists and may not be used here. */
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'nothing'; readonly candidates: readonly string[] };

/** The answers to a PackageNeed. */
export type PackageAnswer =
  | { readonly kind: 'package'; readonly name: string; readonly text: string }
  | { readonly kind: 'nothing'; readonly candidates: readonly string[] };

/** What a text may be written in. */
export type TextFormat = 'json' | 'csv' | 'xml';

/** The type that a text shows, and how it is written where that is not always the same; or why it is no text of the format. */
export type TextAnswer =
  | { readonly type: Type; readonly dialect?: { readonly delimiter: string; readonly hasHeader: boolean } }
  | { readonly problem: string };

/** Answers found so far. `undefined`: not yet asked. */
export interface CheckEnvironment {
  readonly findRead: (need: ReadNeed) => ReadAnswer | undefined;
  readonly findName: (need: NameNeed) => NameAnswer | undefined;
  readonly findPackage: (need: PackageNeed) => PackageAnswer | undefined;
  /** What a constant text holds: known at once, since the text is all there is to look at. */
  readonly inferText: (format: TextFormat, text: string) => TextAnswer;
  /** Told of each part of the program as it is checked, as often as it is: it may throw, which ends the check. */
  readonly onPart?: (() => void) | undefined;
}
