import type { Span } from '@svc/query-language';

/** Thrown for a combination that has no lowering: a validation error for the caller, never a wrong answer. */
export class LoweringUnsupported extends Error {
  override readonly name = 'LoweringUnsupported';
  readonly span: Span;

  constructor(what: string, span: Span) {
    super(`not supported yet: ${what}`);
    this.span = span;
  }
}
