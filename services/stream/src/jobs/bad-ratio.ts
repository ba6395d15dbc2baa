/** Messages that are looked back on. */
const WINDOW = 10_000;
/** Fewer say nothing. */
const LEAST = 100;

/** How many of the latest messages were bad. */
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

  /** The part of the latest messages that was bad; 0 where there were too few to say. */
  value(): number {
    return this.#messages < LEAST ? 0 : this.#bad / this.#messages;
  }

  /** As a person reads it. */
  describe(): string {
    return `${this.#bad} of the latest ${this.#messages} messages`;
  }
}
