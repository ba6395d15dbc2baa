import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { StartError, type Environment } from '@svc/service-kit';

import { endProcess, type Farewell } from '../end-process.ts';
import { waitUntil } from '../wait-until.ts';

/** The program, and its readiness check. */
export interface ServiceProcessOptions {
  readonly name: string;
  /** The service's main file. */
  readonly entry: string;
  readonly directory: string;
  readonly env: Environment;
  /** Answers 200 as soon as the service can be used. */
  readonly readyUrl: string;
  readonly signal: AbortSignal;
}

/** A service in a separate process. */
export interface ServiceProcess {
  /** Resolves when the process has ended for any reason, with a description. */
  readonly ended: Promise<string>;
  /** Lets the service finish its requests, within its own limits, and waits for its end. */
  readonly stop: () => Promise<void>;
  /** Rejects if the process ends before it is ready, or times out. */
  readonly becomesReady: () => Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;
/** Longer than the phases of a service's own stop together. */
const FAREWELL: Farewell = [
  ['SIGTERM', 45_000],
  ['SIGKILL', 5_000],
];

/**
 * Size in megabytes of each of V8's three young-generation spaces. On a large machine it would be twice as much, which a
 * service retains once it was busy: 100 MB more, without a gain in throughput.
 */
const NEW_OBJECTS_MEGABYTES = 16;
const EXIT_WITH_PARENT = fileURLToPath(import.meta.resolve('../exit-with-parent.ts'));

/**
 * Node's options for a service that is a child with a channel to its parent (`ipc`): it ends when its parent does, however that ends.
 */
export const SERVICE_OPTIONS: readonly string[] = [
  '--conditions=@svc/source',
  `--max-semi-space-size=${NEW_OBJECTS_MEGABYTES}`,
  `--import=${EXIT_WITH_PARENT}`,
];

/** Returns the environment of a service besides its settings: the search path, and the compile cache. */
export function serviceEnvironment(): Readonly<Record<string, string>> {
  const kept = ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(kept);
}

/** Starts a service and returns immediately, so that several can start concurrently. */
export function launchService(options: ServiceProcessOptions): ServiceProcess {
  // Detached: Ctrl-C in a terminal must reach the services through this process, once.
  const child = spawn(process.execPath, [...SERVICE_OPTIONS, options.entry], {
    cwd: options.directory,
    env: options.env,
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    detached: true,
  });
  let hasExplained = false;
  child.stderr?.on('data', (chunk: Buffer) => {
    hasExplained = true;
    process.stderr.write(chunk);
  });
  const ended = new Promise<string>((resolve, reject) => {
    child.once('close', (code, signal) => resolve(signal === null ? `exit code ${String(code)}` : signal)).once('error', reject);
  });
  const becomesReady = async (): Promise<void> => {
    const over = new AbortController();
    const signal = AbortSignal.any([options.signal, over.signal]);
    const outcome = await Promise.race([untilReady({ ...options, signal }), ended]).finally(() => over.abort());
    // The service's own message is more specific.
    if (outcome !== 'ready') throw new StartError(hasExplained ? '' : `The ${options.name} ended while it started (${outcome}).`);
  };
  return { ended, becomesReady, stop: () => stopService(child, ended) };
}

async function untilReady({ name, readyUrl, signal }: ServiceProcessOptions): Promise<'ready'> {
  return waitUntil(() => isReady(readyUrl, signal), { timeoutMs: READY_TIMEOUT_MS, what: `the ${name} to be ready`, signal });
}

async function isReady(url: string, signal: AbortSignal): Promise<'ready' | undefined> {
  try {
    const response = await fetch(url, { signal });
    await response.body?.cancel();
    return response.ok ? 'ready' : undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    // Not listening yet.
    return undefined;
  }
}

async function stopService(child: ChildProcess, ended: Promise<string>): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) await endProcess(child.pid, FAREWELL);
  await ended;
}
