import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { SERVICE_OPTIONS } from '@svc/local-stack';

import type { InjectionPoint } from '../jobs/injection.ts';

/** A stream service in a process of its own. */
export interface StreamProcess {
  readonly url: string;
  readonly pid: number;
  /** The latest lines of its log. */
  readonly output: () => string;
  /** Resolves when it has ended, whoever ended it. */
  readonly ended: Promise<void>;
  /** Sends a signal; waits for the end after one that ends it. */
  readonly signal: (signal: NodeJS.Signals) => Promise<void>;
}

/** At which point, and when it comes there for the how manieth time, the process gets which signal. */
export interface StopAt {
  readonly point: InjectionPoint;
  readonly count: number;
  readonly signal?: NodeJS.Signals;
}

const MAIN = fileURLToPath(new URL('./stopped-main.ts', import.meta.url));
const GOES_ON: ReadonlySet<NodeJS.Signals> = new Set(['SIGSTOP', 'SIGCONT']);

/** Starts one and waits until it listens. It ends when its parent does, however that ends. */
export async function startStreamProcess(env: Readonly<Record<string, string>>, stopAt?: StopAt): Promise<StreamProcess> {
  const stop =
    stopAt === undefined ? {} : { TEST_STOP_AT: `${stopAt.point}:${stopAt.count}`, TEST_STOP_SIGNAL: stopAt.signal ?? 'SIGKILL' };
  const child = spawn(process.execPath, [...SERVICE_OPTIONS, MAIN], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'] ?? '',
      SVC_HOST: '127.0.0.1',
      SVC_STREAM_PORT: '0',
      SVC_STREAM_ADMIN_PORT: '0',
      UV_THREADPOOL_SIZE: '16',
      ...env,
      ...stop,
    },
  });
  const ended = once(child, 'exit').then(() => undefined);
  let output = '';
  child.stderr?.on('data', (bytes: Buffer) => void (output += bytes.toString()));
  const started = Promise.withResolvers<string>();
  if (child.stdout === null) throw new Error('the service has no pipe');
  createInterface({ input: child.stdout }).on('line', (line) => {
    output = `${output}${line}\n`.slice(-10_000);
    const entry = JSON.parse(line) as Readonly<Record<string, unknown>>; // every line of its log is an object
    if (entry['msg'] === 'service started') started.resolve(String(entry['url']));
  });
  const early = ended.then(() => {
    throw new Error(`The service ended before it listened:\n${output}`);
  });
  const url = await Promise.race([started.promise, early]);
  early.catch(() => undefined);
  return {
    url,
    pid: child.pid ?? -1,
    output: () => output,
    ended,
    signal: async (signal) => {
      child.kill(signal);
      if (!GOES_ON.has(signal)) await ended;
    },
  };
}
