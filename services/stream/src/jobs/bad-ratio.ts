/** Messages that are looked back on. */
const WINDOW = 10_000;
/** Minimum number of messages for a ratio. */
const LEAST = 100;

/** The ratio of bad messages among the latest. */
export class BadRatio {
  readonly #batches: { readonly messages: number; readonly bad: number }[] = [];
  #messages = 0;
  #bad = 0;

  add(messages: number, bad: number): void {
    this.#batches.push({ messages, bad });
    this.#messages += messages;
    this.#bad += bad;
    for (let [first] = this.#batches; first !== undefined && this.#messages - first.messages >= WINDOW; [first] = this.#batches) {
      this.#batches.shift();
      this.#messages -= first.messages;
      this.#bad -= first.bad;
    }
  }

  /** Returns the ratio of bad messages among the latest; 0 if there are too few. */
  value(): number {
    return this.#messages < LEAST ? 0 : this.#bad / this.#messages;
  }

  /** Describes the ratio for a person. */
  describe(): string {
    return `${this.#bad} of the latest ${this.#messages} messages`;
  }
}
