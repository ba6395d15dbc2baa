import { ReadFailure } from '@svc/text-formats';

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

/** A remote source could not be read. The message is complete, names the location and contains no secret. The cause may be temporary. */
export class SourceFailure extends ReadFailure {
  readonly failure: SourceFailureCause;

  constructor(failure: SourceFailureCause, message: string, details: { readonly cause?: unknown } = {}) {
    super('unreadable', message, details);
    this.name = 'SourceFailure';
    this.failure = failure;
  }
}
