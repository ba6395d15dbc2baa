import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import type { Environment } from '@svc/service-kit';

/** Runs a program to its end and returns its output. Rejects with its output if it fails. */
export async function runToEnd(
  [program = '', ...args]: readonly string[],
  owner: { readonly uid: number; readonly gid: number } | undefined,
  env: Environment = process.env,
): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env, ...owner });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with code ${String(code)}: ${(errors + output).trim()}`);
  return output;
}
