import { ReadFailure } from '@svc/text-formats';

const MEBIBYTE = 2 ** 20;

/** A holder of items that it keeps while there is room, in case that they are needed again. */
export interface SpoolKeeper {
  /** Releases the least needed item, and returns whether there was one. */
  readonly giveUp: () => boolean;
  /** Bytes of the items that it would release. */
  readonly idleBytes: () => number;
}

/** Accounts for the spool space of all holders, with a common limit. */
export class SpoolLedger {
  /** Maximum of bytes taken. */
  readonly maxBytes: number;
  readonly #keepers: SpoolKeeper[] = [];
  #taken = 0;

  constructor({ megabytes }: { readonly megabytes: number }) {
    this.maxBytes = megabytes * MEBIBYTE;
  }

  /** Bytes taken now, those of idle items among them. */
  get taken(): number {
    return this.#taken;
  }

  /** Bytes that are in use: without those that are released when space is short. */
  get held(): number {
    return this.#keepers.reduce((left, { idleBytes }) => left - idleBytes(), this.#taken);
  }

  /** Registers a keeper, which is called when space is short. */
  onShortage(keeper: SpoolKeeper): void {
    this.#keepers.push(keeper);
  }

  /** Reserves space; false if all of it is in use. */
  reserve(bytes: number): boolean {
    while (this.#taken + bytes > this.maxBytes) if (!this.#keepers.some(({ giveUp }) => giveUp())) return false;
    this.#taken += bytes;
    return true;
  }

  /** Like `reserve`, but fails with a ReadFailure `spool-full`. */
  take(bytes: number): void {
    if (this.reserve(bytes)) return;
    const limit = this.maxBytes / MEBIBYTE;
    throw new ReadFailure('spool-full', `the query needs more spool space than is left of the ${limit} MB that queries may use`);
  }

  /** Releases space. */
  free(bytes: number): void {
    this.#taken -= bytes;
  }
}
