import type { Span } from '../text/span.ts';

/** A fault found in a program: what is wrong, in words for its author, and where (one place or more). */
export interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly spans: readonly Span[];
}
