import { EngineFailure } from '@svc/query-engine';

const MEBIBYTE = 2 ** 20;

/** Gives up what is needed least, and answers whether there was something. */
type GiveUp = () => boolean;

/** Who holds how much of the spool, of what all may hold together. */
export class SpoolLedger {
  /** Bytes that may be held. */
  readonly maxBytes: number;
  readonly #giveUps: GiveUp[] = [];
  #taken = 0;

  constructor({ megabytes }: { readonly megabytes: number }) {
    this.maxBytes = megabytes * MEBIBYTE;
  }

  /** Bytes that are held now. */
  get taken(): number {
    return this.#taken;
  }

  /** From now on this is asked where space is short. */
  onShortage(giveUp: GiveUp): void {
    this.#giveUps.push(giveUp);
  }

  /** Takes space; false where all of it is in use. */
  reserve(bytes: number): boolean {
    while (this.#taken + bytes > this.maxBytes) if (!this.#giveUps.some((giveUp) => giveUp())) return false;
    this.#taken += bytes;
    return true;
  }

  /** As `reserve`, but fails with an EngineFailure `spool-full`. */
  take(bytes: number): void {
    if (this.reserve(bytes)) return;
    const limit = this.maxBytes / MEBIBYTE;
    throw new EngineFailure('spool-full', `the query needs more spool space than is left of the ${limit} MB that queries may use`);
  }

  /** Gives space back. */
  free(bytes: number): void {
    this.#taken -= bytes;
  }
}
