import { readFileSync } from 'node:fs';

import { dieWithParent, works } from '../die-with-parent.ts';

/** How a program is started so that it does not see itself as root. */
export interface UnprivilegedCommand {
  /** What stands before the program and its arguments. */
  readonly prefix: readonly string[];
  /** Whom the program runs as, where that is not ourselves; its data must be theirs. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/**
 * PostgreSQL refuses to run as root. A user namespace of its own, in which root has another number, lets it work with
 * root's files, below folders that nobody else may enter, too. Where the system allows no such namespace, it runs as
 * the user `nobody`. Not root: nothing is needed.
 */
export function unprivilegedCommand(): UnprivilegedCommand {
  const bound = dieWithParent('INT');
  if (process.getuid?.() !== 0) return { prefix: bound };
  const { uid, gid } = findNobody();
  const namespace = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`];
  if (works(namespace)) return { prefix: [...namespace, ...bound] };
  return { prefix: bound, owner: { uid, gid } };
}

/** `initdb` wants a user that has a name. */
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
