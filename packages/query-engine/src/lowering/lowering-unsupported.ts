import type { Span } from '@svc/query-language';

/** Thrown for a combination that has no lowering: a validation error for the caller, never a wrong answer. */
export class LoweringUnsupported extends Error {
  override readonly name = 'LoweringUnsupported';
  readonly span: Span;

  /** `message` describes the unsupported combination, and the alternative. */
  constructor(message: string, span: Span) {
    super(message);
    this.span = span;
  }
}
