import { EngineFailure } from '@svc/query-engine';

/** Reason why a source could not be read. */
export type SourceFailureCause =
  | 'not-found'
  | 'refused'
  | 'not-allowed'
  | 'authentication'
  | 'timed-out'
  | 'too-large'
  | 'changed'
  | 'broken';

/** A source elsewhere could not be read. The message is whole, names the location, and holds no secret; it may be gone a moment later. */
export class SourceFailure extends EngineFailure {
  readonly failure: SourceFailureCause;

  constructor(failure: SourceFailureCause, message: string, details: { readonly cause?: unknown } = {}) {
    super('unreadable', message, details);
    this.name = 'SourceFailure';
    this.failure = failure;
  }
}
