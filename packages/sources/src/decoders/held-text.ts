import { EngineFailure } from '@svc/query-engine';

/** Limits of the text that decoders hold in the heap of the process, which no engine counts. */
export interface HeldTextLimits {
  /** Characters of one document. */
  readonly perDocument: number;
  /** Characters of all documents that are read at once. */
  readonly inAll: number;
}

/** What one document holds, until it is released. */
export interface HeldText {
  /** Fails with an EngineFailure: `unreadable` where the document holds too much, `out-of-memory` where all together do. */
  readonly add: (characters: number) => void;
  readonly release: () => void;
}

/** Counts the text that documents hold while they are read. */
export class TextLedger {
  readonly #limits: HeldTextLimits;
  #held = 0;

  constructor(limits: HeldTextLimits) {
    this.#limits = limits;
  }

  /** Begins a document; `what` is its name in messages, such as `workbook`. */
  begin(what: string): HeldText {
    let own = 0;
    return {
      add: (characters) => {
        own += characters;
        this.#held += characters;
        if (own > this.#limits.perDocument) throw new EngineFailure('unreadable', `the ${what} holds more text than can be read`);
        if (this.#held > this.#limits.inAll)
          throw new EngineFailure('out-of-memory', `the ${what}s that are read now hold more text than fits into memory: try again later`);
      },
      release: () => {
        this.#held -= own;
        own = 0;
      },
    };
  }
}
