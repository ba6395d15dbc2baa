import { spawnSync } from 'node:child_process';

/**
 * Returns what stands before a program and its arguments so that the system sends it a signal when the process that started it ends, however
 * that ends; nothing where the system cannot.
 */
export function dieWithParent(signal: 'INT' | 'TERM' | 'KILL'): readonly string[] {
  const prefix = ['setpriv', '--pdeathsig', signal];
  return works(prefix) ? prefix : [];
}

/** Whether a program can be started behind a prefix. */
export function works([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0;
}
