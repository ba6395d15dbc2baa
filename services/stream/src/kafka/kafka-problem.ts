/** Why a broker could not be worked with; 'unreachable' may be otherwise later, the rest needs a person. */
export type KafkaProblemKind = 'unreachable' | 'not-allowed' | 'unknown-topic' | 'login' | 'refused';

/** A problem with a broker. The message is fit for the caller. */
export class KafkaProblem extends Error {
  readonly kind: KafkaProblemKind;

  constructor(kind: KafkaProblemKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'KafkaProblem';
    this.kind = kind;
  }
}

/** Whether a thrown thing is a KafkaProblem. */
export function isKafkaProblem(thrown: unknown): thrown is KafkaProblem {
  return thrown instanceof KafkaProblem;
}
