import { createDiagnostic } from '../diagnostics/diagnostic-messages.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Span } from '../text/span.ts';
import { MOST_TYPE_PARTS, TypeTooLarge } from './types.ts';

/** Runs a check of a text. A type beyond the limit aborts the check, and is the only diagnostic. */
export function withinTypeLimit<Result>(span: Span, check: () => Result, faulty: (diagnostics: readonly Diagnostic[]) => Result): Result {
  try {
    return check();
  } catch (thrown) {
    if (!(thrown instanceof TypeTooLarge)) throw thrown;
    return faulty([createDiagnostic('type-too-large', [span], MOST_TYPE_PARTS)]);
  }
}
