/** Literals. */
import type { Span } from '../../text/span.ts';

/** `NULL` */
export interface NullLiteral {
  readonly kind: 'NullLiteral';
  readonly span: Span;
}

/** `TRUE`, `FALSE` */
export interface BooleanLiteral {
  readonly kind: 'BooleanLiteral';
  readonly span: Span;
  readonly value: boolean;
}

/** `type` is settled by the lexer from suffix and size; `text` has digits only (sign of a literal minus, no suffix). */
export interface NumberLiteral {
  readonly kind: 'NumberLiteral';
  readonly span: Span;
  readonly type: 'int' | 'long' | 'float' | 'double' | 'decimal';
  readonly text: string;
}

/** `value` has its escapes processed. */
export interface StringLiteral {
  readonly kind: 'StringLiteral';
  readonly span: Span;
  readonly value: string;
  /** Written `"…"`, as SQL writes names. */
  readonly isDoubleQuoted: boolean;
}

/** `date "…"`, `time "…"`, `timestamp "…"`, `interval "…"`; `text` as written, read by the checker. */
export interface TemporalLiteral {
  readonly kind: 'TemporalLiteral';
  readonly span: Span;
  readonly type: 'date' | 'time' | 'timestamp' | 'interval';
  readonly text: string;
  readonly textSpan: Span;
}

/** `r"…"`: `pattern` has its escapes processed, and has not been checked. */
export interface RegexLiteral {
  readonly kind: 'RegexLiteral';
  readonly span: Span;
  readonly pattern: string;
}
