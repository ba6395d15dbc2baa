import { createDiagnostic } from '../diagnostics/diagnostic-messages.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Span } from '../text/span.ts';
import { MOST_TYPE_PARTS, TypeTooLarge } from './types.ts';

/** Runs a check of a text. A type beyond the limit aborts the check, and is the only diagnostic of an empty result. */
export function withinTypeLimit<Result extends object, Empty extends object>(
  span: Span,
  check: () => Result,
  empty: Empty,
): Result | (Empty & { readonly diagnostics: readonly Diagnostic[] }) {
  try {
    return check();
  } catch (thrown) {
    if (!(thrown instanceof TypeTooLarge)) throw thrown;
    return { ...empty, diagnostics: [createDiagnostic('type-too-large', [span], MOST_TYPE_PARTS)] };
  }
}
