import type { Span } from '../../text/span.ts';

/** An identifier as written. `isQuoted` (back-ticks) makes it case-sensitive and never a keyword. */
export interface Name {
  readonly kind: 'Name';
  readonly span: Span;
  readonly text: string;
  readonly isQuoted: boolean;
}
