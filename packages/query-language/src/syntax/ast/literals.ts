/** Literals. */
import type { Span } from '../../text/span.ts';
import type { Node } from './node.ts';

/** `NULL` */
export type NullLiteral = Node<'NullLiteral'>;

/** `TRUE`, `FALSE` */
export interface BooleanLiteral extends Node<'BooleanLiteral'> {
  readonly value: boolean;
}

/** `type` is settled by the lexer from suffix and size; `text` has digits only (sign of a literal minus, no suffix). */
export interface NumberLiteral extends Node<'NumberLiteral'> {
  readonly type: 'int' | 'long' | 'float' | 'double' | 'decimal';
  readonly text: string;
}

/** `value` has its escapes processed. */
export interface StringLiteral extends Node<'StringLiteral'> {
  readonly value: string;
  /** Written `"…"`, as SQL writes names. */
  readonly isDoubleQuoted: boolean;
}

/** `date "…"`, `time "…"`, `timestamp "…"`, `interval "…"`; `text` as written, read by the checker. */
export interface TemporalLiteral extends Node<'TemporalLiteral'> {
  readonly type: 'date' | 'time' | 'timestamp' | 'interval';
  readonly text: string;
  readonly textSpan: Span;
}

/** `r"…"`: `pattern` has its escapes processed, and has not been checked. */
export interface RegexLiteral extends Node<'RegexLiteral'> {
  readonly pattern: string;
}
