import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePortSettings } from '@svc/local-stack';

const PROJECT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The environment of one stack: ports and a data directory that no other has. */
export interface StackSettings extends Readonly<Record<string, string>> {
  readonly SVC_DATA_DIR: string;
  readonly SVC_EXECUTOR_PORT: string;
  readonly SVC_EXECUTOR_ADMIN_PORT: string;
  readonly SVC_AUTHORIZATION_PORT: string;
}

/** `npm start`, as an operator runs it. */
export interface Stack {
  readonly process: ChildProcess;
  /** Returns all output so far. */
  readonly output: () => string;
  /** Resolves when it has printed `ready`; rejects when it ends before, or in 100 s. */
  readonly ready: Promise<void>;
  /** Exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Stacks over one data directory. */
export interface Stacks {
  readonly dataDir: string;
  readonly settings: StackSettings;
  /** All stacks started, oldest first. */
  readonly started: readonly Stack[];
  readonly start: (extra?: Readonly<Record<string, string>>, ...args: readonly string[]) => Stack;
  /** Stops running stacks, waits until they have no processes left, and removes their data. */
  readonly close: () => Promise<void>;
}

/** Creates a data directory and finds free ports; starts nothing yet. `afterAll(stacks.close)`. */
export async function openStacks(): Promise<Stacks> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-e2e-'));
  const settings = await freeSettings(dataDir);
  const started: Stack[] = [];
  return {
    dataDir,
    settings,
    started,
    start: (extra = {}, ...args) => {
      const stack = startStack({ ...settings, ...extra }, ...args);
      started.push(stack);
      return stack;
    },
    close: async () => {
      for (const { process: npm } of started) if (npm.exitCode === null && npm.signalCode === null) npm.kill('SIGTERM');
      await Promise.all(started.map((stack) => stack.ended));
      await untilNoProcess(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Waits until no process names the data directory any more. */
export async function untilNoProcess(dataDir: string): Promise<void> {
  await until('no process is left', async () => (await processesOf(dataDir)).length === 0);
}

/** Settings with free ports. */
export async function freeSettings(dataDir: string): Promise<StackSettings> {
  // Settings of all services, including these.
  return { ...(await freePortSettings()), SVC_DATA_DIR: dataDir } as StackSettings;
}

/** Starts a stack, with the arguments that an operator would write behind `npm start --`. */
export function startStack(settings: Readonly<Record<string, string>>, ...args: readonly string[]): Stack {
  const child = spawn('npm', ['start', '--', ...args], {
    cwd: PROJECT,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in 100 s:\n${output}`)), 100_000);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      act();
    };
    const listen = (text: Buffer): void => {
      output += text.toString();
      if (/^ready$/m.test(output)) settle(resolve);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('close', () => settle(() => reject(new Error(`it ended before it was ready:\n${output}`))));
  });
  ready.catch(() => {}); // who does not wait for it must not fail by it
  return { process: child, output: () => output, ready, ended };
}

/** `npm run -s token` for a stack. */
export async function tokenOf(settings: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('npm', ['run', '-s', 'token', '--', ...args], { cwd: PROJECT, env: { ...process.env, ...settings } });
  return stdout;
}

/** Returns the processes with the data directory in their command line or environment. */
export async function processesOf(dataDir: string): Promise<readonly string[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,args=']);
  return stdout.split('\n').filter((line) => line.includes(dataDir));
}

/** Returns the process of a stack with a text in its command line. */
export async function processWith(stack: Stack, text: string): Promise<number> {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid=,args=']);
  const all = [...stdout.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, pid, parent, args = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    args,
  }));
  const family = new Set([stack.process.pid]);
  for (let before = 0; before < family.size;) {
    before = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  const found = all.find(({ pid, args }) => family.has(pid) && args.includes(text));
  if (found === undefined) throw new Error(`no process of the stack has the command line ${text}:\n${stdout}`);
  return found.pid;
}

/** Waits with a limit until a condition holds. */
export async function until(what: string, test: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await test())) {
    if (performance.now() > deadline) throw new Error(`not in 60 s: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}

/** Returns whether a local port has a listener. */
export async function isListening(port: string): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}
