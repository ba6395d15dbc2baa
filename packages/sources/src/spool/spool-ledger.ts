import { EngineFailure } from '@svc/query-engine';

const MEBIBYTE = 2 ** 20;

/** Gives up what is needed least, and answers whether there was something. */
type GiveUp = () => Promise<boolean>;

/** Space taken before it is known how much is needed. */
export interface SpoolGrant {
  readonly bytes: number;
  /** Gives back all but so much. */
  readonly keep: (bytes: number) => void;
  /** Gives back the rest. Can be called twice. */
  readonly close: () => void;
}

/** Who holds how much of the spool, of what all may hold together. */
export class SpoolLedger {
  readonly #maxBytes: number;
  readonly #giveUps: GiveUp[] = [];
  #taken = 0;

  constructor({ megabytes }: { readonly megabytes: number }) {
    this.#maxBytes = megabytes * MEBIBYTE;
  }

  /** Bytes that are held now. */
  get taken(): number {
    return this.#taken;
  }

  /** From now on this is asked where space is short. */
  onShortage(giveUp: GiveUp): void {
    this.#giveUps.push(giveUp);
  }

  /** Takes space. Fails with an EngineFailure `spool-full` where all of it is in use. */
  async take(bytes: number): Promise<void> {
    if (!(await this.#makeRoom(bytes)))
      throw new EngineFailure(
        'spool-full',
        `the query needs more spool space than is left of the ${this.#maxBytes / MEBIBYTE} MB that queries may use`,
      );
    this.#taken += bytes;
  }

  /** Gives space back. */
  free(bytes: number): void {
    this.#taken -= bytes;
  }

  /** Takes half of what is free. */
  async grant(): Promise<SpoolGrant> {
    await this.#makeRoom(this.#maxBytes / 4);
    let held = Math.max(0, Math.floor((this.#maxBytes - this.#taken) / 2));
    this.#taken += held;
    const keep = (bytes: number): void => {
      const left = Math.min(held, bytes);
      this.#taken -= held - left;
      held = left;
    };
    return { bytes: held, keep, close: () => keep(0) };
  }

  async #makeRoom(bytes: number): Promise<boolean> {
    while (this.#taken + bytes > this.#maxBytes) if (!(await this.#giveUpOne())) return false;
    return true;
  }

  async #giveUpOne(): Promise<boolean> {
    for (const giveUp of this.#giveUps) if (await giveUp()) return true;
    return false;
  }
}
