/** The space of a file. */
export interface FileClaim {
  /** Reserves space for the new size of the file; returns whether it is available. */
  readonly grow: (bytes: number) => boolean;
  /** Called when the file is deleted. */
  readonly release: () => void;
}

/**
 * Spool space for result files. Half of it is divided among them, so that a small file never fails because of others; beyond
 * its share a file uses the other half while it lasts.
 */
export class FileSpace {
  readonly #shareBytes: number;
  #commonBytes: number;

  constructor({ bytes, files }: { readonly bytes: number; readonly files: number }) {
    this.#shareBytes = bytes / 2 / files;
    this.#commonBytes = bytes / 2;
  }

  /** Space for a file that is empty. */
  claim(): FileClaim {
    let taken = 0;
    let isGone = false;
    return {
      grow: (bytes) => {
        if (isGone) return true; // its size was asked for before, and answered after
        const more = Math.max(0, bytes - this.#shareBytes) - taken;
        if (more > this.#commonBytes) return false;
        this.#commonBytes -= more;
        taken += more;
        return true;
      },
      release: () => {
        this.#commonBytes += taken;
        taken = 0;
        isGone = true;
      },
    };
  }
}
