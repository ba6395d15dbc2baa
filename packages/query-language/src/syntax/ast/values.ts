/** Names, collections, records, and access to their parts. */
import type { Span } from '../../text/span.ts';
import type { Expression } from './expression.ts';
import type { Name } from './name.ts';

/** A name standing for a value: field, alias, parameter, declaration, view, table. */
export interface NameExpression {
  readonly kind: 'NameExpression';
  readonly span: Span;
  readonly name: Name;
}

/** `*`: the row or the group of the SELECT around it; also a source (`FROM *`) and `COUNT(*)`. */
export interface StarExpression {
  readonly kind: 'StarExpression';
  readonly span: Span;
}

/** `[a, b]`; `collection(a, b)` is read as the same. */
export interface CollectionExpression {
  readonly kind: 'CollectionExpression';
  readonly span: Span;
  readonly elements: readonly Expression[];
}

/** `(a: 1, 2)`; a field without a name has `name: null`. `record(a: 1)` is the same construct. */
export interface RecordExpression {
  readonly kind: 'RecordExpression';
  readonly span: Span;
  readonly fields: readonly RecordField[];
}

/** `name: value`; null if the value implies the name. */
export interface RecordField {
  readonly kind: 'RecordField';
  readonly span: Span;
  readonly name: Name | null;
  readonly value: Expression;
}

/** `target.field` */
export interface FieldAccess {
  readonly kind: 'FieldAccess';
  readonly span: Span;
  readonly target: Expression;
  readonly field: Name;
}

/** `target[index]` */
export interface IndexAccess {
  readonly kind: 'IndexAccess';
  readonly span: Span;
  readonly target: Expression;
  readonly index: Expression;
}

/** `operand INTO (x: a, …)` */
export interface IntoExpression {
  readonly kind: 'IntoExpression';
  readonly span: Span;
  readonly operand: Expression;
  readonly record: RecordExpression;
}

/** `operand EXCLUDE (a, b)` */
export interface ExcludeExpression {
  readonly kind: 'ExcludeExpression';
  readonly span: Span;
  readonly operand: Expression;
  readonly names: readonly Name[];
}
