import { readFileSync } from 'node:fs';

import { dieWithParent, works } from '../die-with-parent.ts';

/** Command that starts a program without root privileges. */
export interface UnprivilegedCommand {
  /** Prefix of the command. */
  readonly prefix: readonly string[];
  /** User of the program, if not the current one; it must own the data. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/**
 * PostgreSQL refuses to run as root. In a user namespace, where root has another number, it can use root's files, also below
 * folders that are closed to others. If the system does not permit such a namespace, it runs as the user `nobody`. Without
 * root nothing is needed.
 */
export function unprivilegedCommand(): UnprivilegedCommand {
  const bound = dieWithParent('INT');
  if (process.getuid?.() !== 0) return { prefix: bound };
  const { uid, gid } = findNobody();
  const namespace = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`];
  if (works(namespace)) return { prefix: [...namespace, ...bound] };
  return { prefix: bound, owner: { uid, gid } };
}

/** `initdb` requires a named user. */
function findNobody(): { readonly uid: number; readonly gid: number } {
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'nobody');
  const [uid, gid] = [Number(entry?.[2]), Number(entry?.[3])];
  if (!Number.isInteger(uid) || !Number.isInteger(gid))
    throw new Error('PostgreSQL cannot run as root, and this system has no user nobody.');
  return { uid, gid };
}
