import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { freePort } from '@svc/local-stack';

/** An executor in a process of its own, as an operator runs it. */
export interface ExecutorProcess {
  readonly url: string;
  readonly adminUrl: string;
  readonly pid: number;
  /** Sends a signal and waits for the end; answers the exit code, or null after a signal. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Starts one and waits until it listens. `env` holds its settings beside ports and address. */
export async function startExecutorProcess(env: Readonly<Record<string, string>>): Promise<ExecutorProcess> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ['--conditions=@svc/source', fileURLToPath(new URL('../main.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      SVC_HOST: '127.0.0.1',
      SVC_EXECUTOR_PORT: String(port),
      SVC_EXECUTOR_ADMIN_PORT: String(adminPort),
      UV_THREADPOOL_SIZE: '24',
      ...env,
    },
  });
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  let output = '';
  child.stderr.on('data', (bytes: Buffer) => {
    output += bytes.toString();
  });
  const started = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`;
    if (line.includes('service started')) started.resolve();
  });
  const early = exited.then((code) => {
    throw new Error(`The executor ended with ${code} before it listened:\n${output}`);
  });
  await Promise.race([started.promise, early]);
  early.catch(() => undefined);
  return {
    url: `http://127.0.0.1:${port}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    pid: child.pid ?? -1,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}
