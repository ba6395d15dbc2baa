import sequencing from '@jest/test-sequencer';

/** Folders whose files take longest: last, one of them would keep the whole run waiting on one core. */
const LONG_ROOMS = ['/e2e/', '/services/stream/', '/services/executor/', '/services/'];

/** Orders test files: long rooms first, and within each Jest's own order, by the times of an earlier run or by size. */
export default class LongRoomsFirst extends sequencing.default {
  /**
   * @override
   * @param {Parameters<InstanceType<typeof sequencing.default>['sort']>[0]} tests
   */
  async sort(tests) {
    const ordered = await super.sort(tests);
    return ordered.toSorted((a, b) => roomOf(a.path) - roomOf(b.path));
  }
}

/** @param {string} path */
function roomOf(path) {
  const index = LONG_ROOMS.findIndex((folder) => path.includes(folder));
  return index === -1 ? LONG_ROOMS.length : index;
}
