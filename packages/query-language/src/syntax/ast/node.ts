import type { Span } from '../../text/span.ts';

/** The members of every node: its kind, and its place in the text. */
export interface Node<Kind extends string> {
  readonly kind: Kind;
  readonly span: Span;
}
