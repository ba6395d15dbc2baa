/** Kind of a broker problem; 'unreachable' is temporary, the others need an operator. */
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

/** Returns whether a thrown value is a KafkaProblem. */
export function isKafkaProblem(thrown: unknown): thrown is KafkaProblem {
  return thrown instanceof KafkaProblem;
}
