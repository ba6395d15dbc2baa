import type { Span } from '../text/span.ts';

/** A diagnostic: the fault in words for the author of the program, and one or more spans. */
export interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly spans: readonly Span[];
}
