import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Runs a program and waits for its end. Rejects with what it wrote to standard error if it fails. */
export async function runToEnd(
  [program = '', ...args]: readonly string[],
  owner: { readonly uid: number; readonly gid: number } | undefined,
): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true, ...owner });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number | null]>]);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with code ${String(code)}: ${errors.trim()}`);
}
