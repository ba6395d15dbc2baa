import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { SERVICE_OPTIONS, serviceEnvironment } from '@svc/local-stack';

/** An executor in a separate process, as in operation. */
export interface ExecutorProcess {
  readonly url: string;
  readonly adminUrl: string;
  readonly pid: number;
  /** Log lines at level warn or above. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** Sends a signal and waits for the end; answers the exit code, or null after a signal. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | null>;
}

const WORTH_A_LOOK: ReadonlySet<unknown> = new Set(['warn', 'error', 'fatal']);
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

/**
 * Starts an executor and waits until it listens. `env` holds its settings besides ports and address. It ends with its parent
 * in any case.
 */
export async function startExecutorProcess(env: Readonly<Record<string, string>>): Promise<ExecutorProcess> {
  const child = spawn(process.execPath, [...SERVICE_OPTIONS, MAIN], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...serviceEnvironment(),
      SVC_HOST: '127.0.0.1',
      SVC_EXECUTOR_PORT: '0',
      SVC_EXECUTOR_ADMIN_PORT: '0',
      UV_THREADPOOL_SIZE: '24',
      SVC_MASTER_KEY: randomBytes(32).toString('base64'),
      ...env,
    },
  });
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  let output = '';
  const log: Readonly<Record<string, unknown>>[] = [];
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the executor has no pipes');
  stderr.on('data', (bytes: Buffer) => {
    output += bytes.toString();
  });
  const started = Promise.withResolvers<Readonly<Record<string, unknown>>>();
  createInterface({ input: stdout }).on('line', (line) => {
    output += `${line}\n`;
    const entry = JSON.parse(line) as Readonly<Record<string, unknown>>; // every line of its log is an object
    if (entry['msg'] === 'service started') started.resolve(entry);
    if (WORTH_A_LOOK.has(entry['level'])) log.push(entry);
  });
  const early = exited.then((code) => {
    throw new Error(`The executor ended with ${code} before it listened:\n${output}`);
  });
  const { url, adminUrl } = await Promise.race([started.promise, early]);
  early.catch(() => undefined);
  return {
    url: String(url),
    adminUrl: String(adminUrl),
    pid: child.pid ?? -1,
    log,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}
