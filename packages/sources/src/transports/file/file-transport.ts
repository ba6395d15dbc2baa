import type { FileLocation } from '../../locations/location.ts';
import { FileFinder } from '../find-files.ts';
import type { ObjectTransport } from '../transport.ts';

/** Files below the roots. */
export function createFileTransport(roots: readonly string[]): ObjectTransport<FileLocation> {
  const finder = new FileFinder(roots);
  return {
    kind: 'objects',
    find: async ({ path }, { signal }) =>
      (await finder.files(path, signal)).map(({ path: found, location, size, modified, identity }) => ({
        ...{ location, name: found, size, modified, identity },
        isPersonal: false,
        bytes: { kind: 'local', path: found },
      })),
    list: ({ path }, { signal }) => finder.entries(path, signal),
  };
}
