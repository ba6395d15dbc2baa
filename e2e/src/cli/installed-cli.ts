import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PROJECT = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

/** Options of running a program. */
export interface RunOptions {
  /** Standard input; empty by default. */
  readonly input?: string | Buffer;
  /** True if further input is written while it runs. */
  readonly keepsInputOpen?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Called when it runs. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** Output and exit code of a program. */
export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Packs the command line and installs the tarball below a folder, without a registry. Returns the path of the program. */
export async function installCli(folder: string): Promise<string> {
  const room = join(PROJECT, 'packages/cli');
  await run(join(PROJECT, 'node_modules/.bin/pnpm'), ['pack', '--pack-destination', folder], { cwd: room });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('pnpm pack made no tarball');
  const prefix = join(folder, 'prefix');
  await run('npm', ['install', '--global', '--prefix', prefix, '--offline', '--no-audit', '--no-fund', join(folder, tarball)], {
    cwd: folder,
  });
  return join(prefix, 'bin', 'svc');
}

/** Runs a program with its own environment, and waits for its end. */
export async function runProgram(program: string, args: readonly string[], options: RunOptions = {}): Promise<ProgramResult> {
  const { input = '', keepsInputOpen = false, env = {}, cwd = '/', onStart } = options;
  const child = spawn(program, args, { env, cwd });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // A program that ends without reading closes its end.
  child.stdin.on('error', () => undefined);
  if (keepsInputOpen) child.stdin.write(input);
  else child.stdin.end(input);
  onStart?.(child);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  return { code, stdout, stderr };
}

/** Runs a program on a pseudo-terminal: standard output and standard error are one screen. */
export async function runOnTerminal(program: string, args: readonly string[], options: RunOptions = {}): Promise<ProgramResult> {
  const quoted = [program, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  return runProgram('script', ['--quiet', '--return', '--command', quoted, '/dev/null'], options);
}
