import { spawnSync } from 'node:child_process';

/**
 * Returns the prefix of a command that makes the system send a signal to the program when its parent process ends in any
 * way; empty if the system does not support that.
 */
export function dieWithParent(signal: 'INT' | 'TERM' | 'KILL'): readonly string[] {
  const prefix = ['setpriv', '--pdeathsig', signal];
  return works(prefix) ? prefix : [];
}

/** Returns whether programs can be started with a prefix. */
export function works([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0;
}
