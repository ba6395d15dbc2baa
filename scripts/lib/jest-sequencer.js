import { statSync } from 'node:fs';

/** Folders with the longest test files. If one of these ran last, the whole run would wait for one core. */
const LONG_ROOMS = ['/e2e/', '/services/stream/', '/services/executor/', '/services/'];

/** Orders test files: long rooms first, and large files first within each, as Jest does without timings of an earlier run. */
export default class LongRoomsFirst {
  /**
   * @param {readonly { readonly path: string }[]} tests
   */
  sort(tests) {
    return tests
      .map((entry) => ({ entry, room: roomOf(entry.path), size: statSync(entry.path).size }))
      .toSorted((a, b) => a.room - b.room || b.size - a.size)
      .map(({ entry }) => entry);
  }

  /** Timings are not kept. */
  cacheResults() {}
}

/** @param {string} path */
function roomOf(path) {
  const index = LONG_ROOMS.findIndex((folder) => path.includes(folder));
  return index === -1 ? LONG_ROOMS.length : index;
}
