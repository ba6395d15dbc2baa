import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

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
  const dieWithParent = works(['setpriv', '--pdeathsig', 'INT']) ? ['setpriv', '--pdeathsig', 'INT'] : [];
  if (process.getuid?.() !== 0) return { prefix: dieWithParent };
  const { uid, gid } = findNobody();
  const namespace = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`];
  if (works(namespace)) return { prefix: [...namespace, ...dieWithParent] };
  return { prefix: dieWithParent, owner: { uid, gid } };
}

function works([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0;
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
