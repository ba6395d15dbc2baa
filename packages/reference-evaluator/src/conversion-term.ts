import type { CollectionShape, Shape } from './shape.ts';
import type { Term } from './term.ts';

/** Casts and conversions between types, with and without TRY. */

/** `r"…"` */
export interface Regex {
  readonly kind: 'regex';
  readonly shape: 'string';
  readonly pattern: string;
}

/** `operand PARSE AS r"…"` */
export interface ParseAs {
  readonly kind: 'parse-as';
  readonly shape: CollectionShape;
  readonly operand: Term;
  readonly pattern: string;
  readonly onFail: 'null' | 'skip';
}

/** `TRY(…)`. */
export interface Try {
  readonly kind: 'try';
  readonly shape: Shape;
  readonly operand: Term;
}

/** `CAST(… AS …)` and `TRY_CAST(… AS …)`. */
export interface Cast {
  readonly kind: 'cast';
  readonly shape: Shape;
  readonly operand: Term;
  readonly isTry: boolean;
}

/** `PARSE_JSON(TO_JSON(operand) AS …)`, or `CAST(CAST(operand AS any).field AS …)` */
export interface Trip {
  readonly kind: 'trip';
  readonly shape: Shape;
  readonly operand: Term;
  readonly through: 'json' | 'any';
  readonly field: { readonly name: string; readonly index: number } | null;
}
