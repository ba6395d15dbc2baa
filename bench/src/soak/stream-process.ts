import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { SERVICE_OPTIONS } from '@svc/local-stack';

/** A process of the stream service. */
export interface StreamProcess {
  readonly url: string;
  readonly pid: number;
  readonly isPaused: () => boolean;
  readonly pause: () => void;
  readonly wake: () => void;
  /** Sends a signal and waits for the end. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
}

const MAIN = fileURLToPath(new URL('../../../services/stream/src/main.ts', import.meta.url));

/** Starts one and waits until it listens. It ends when its parent does. */
export async function startStreamProcess(env: Readonly<Record<string, string>>): Promise<StreamProcess> {
  const child = spawn(process.execPath, [...SERVICE_OPTIONS, MAIN], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'] ?? '',
      SVC_HOST: '127.0.0.1',
      SVC_STREAM_PORT: '0',
      SVC_STREAM_ADMIN_PORT: '0',
      UV_THREADPOOL_SIZE: '16',
      ...env,
    },
  });
  const ended = once(child, 'exit').then(() => undefined);
  const started = Promise.withResolvers<string>();
  if (child.stdout === null) throw new Error('the service has no pipe');
  createInterface({ input: child.stdout }).on('line', (line) => {
    const entry = JSON.parse(line) as Readonly<Record<string, unknown>>; // every line of its log is an object
    if (entry['msg'] === 'service started') started.resolve(String(entry['url']));
    else if (entry['level'] === 'error' || entry['level'] === 'fatal') console.error(line);
  });
  const early = ended.then(() => Promise.reject(new Error('a process of the stream service ended while it started')));
  early.catch(() => undefined);
  const url = await Promise.race([started.promise, early]);
  let isPaused = false;
  return {
    url,
    pid: child.pid ?? -1,
    isPaused: () => isPaused,
    pause: () => {
      isPaused = true;
      child.kill('SIGSTOP');
    },
    wake: () => {
      child.kill('SIGCONT');
      isPaused = false;
    },
    end: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}
