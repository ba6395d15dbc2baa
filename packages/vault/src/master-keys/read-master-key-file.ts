import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

import { parseMasterKey, type ParsedMasterKey } from './parse-master-key.ts';

/** Longer than any master key file; bounds the read of a wrong path. */
const MOST_BYTES = 1024;

/**
 * Reads a master key from a file that only its owner may read (or, if root owns it, its group: a mounted secret).
 * Synchronous: settings are read once, before a process serves.
 */
export function readMasterKeyFile(path: string): ParsedMasterKey {
  let file: number;
  try {
    // Without waiting: a named pipe without a writer would hold the start.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return { kind: 'unusable', reason: `the file cannot be read (${codeOf(error)})` };
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size > MOST_BYTES) return { kind: 'unusable', reason: 'it is no file with a master key' };
    if (isReadableByOthers(found)) {
      const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
      return { kind: 'unusable', reason: `others than its owner may read the file (mode ${mode}), expected mode 0600` };
    }
    return parseMasterKey(readFileSync(file, 'utf8').trim());
  } finally {
    closeSync(file);
  }
}

/** Windows has no such modes. */
function isReadableByOthers({ mode, uid }: Stats): boolean {
  return process.platform !== 'win32' && (mode & (uid === 0 ? 0o037 : 0o077)) !== 0;
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
}
