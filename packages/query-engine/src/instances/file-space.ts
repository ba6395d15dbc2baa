/** The space that a file takes. */
export interface FileClaim {
  /** Told how large the file is now; whether there is so much space for it. */
  readonly grow: (bytes: number) => boolean;
  /** The file is gone. */
  readonly release: () => void;
}

/**
 * Space of the spool for the files of results. Half of it is shared out, so that a small file never fails because of
 * others; what a file needs beyond its share comes from the other half, as long as there is some.
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
