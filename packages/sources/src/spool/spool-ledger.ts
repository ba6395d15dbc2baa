import { ReadFailure } from '@svc/text-formats';

const MEBIBYTE = 2 ** 20;

/** Releases the least needed item, and returns whether there was one. */
type GiveUp = () => boolean;

/** Accounts for the spool space of all holders, with a common limit. */
export class SpoolLedger {
  /** Maximum of bytes held. */
  readonly maxBytes: number;
  readonly #giveUps: GiveUp[] = [];
  #taken = 0;

  constructor({ megabytes }: { readonly megabytes: number }) {
    this.maxBytes = megabytes * MEBIBYTE;
  }

  /** Bytes held now. */
  get taken(): number {
    return this.#taken;
  }

  /** Registers a function that is called when space is short. */
  onShortage(giveUp: GiveUp): void {
    this.#giveUps.push(giveUp);
  }

  /** Reserves space; false if all of it is in use. */
  reserve(bytes: number): boolean {
    while (this.#taken + bytes > this.maxBytes) if (!this.#giveUps.some((giveUp) => giveUp())) return false;
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
