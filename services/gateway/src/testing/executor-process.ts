import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { freePort, SERVICE_OPTIONS } from '@svc/local-stack';
import { testAuthorization } from '@svc/test-kit';

import { ask } from './ask.ts';

/** The executor behind a gateway, in a process of its own. */
export interface ExecutorProcess {
  readonly url: string;
  /** Stores a package on behalf of a subject. */
  readonly putPackage: (name: string, code: string, subject?: string) => Promise<void>;
  readonly deletePackage: (name: string, subject?: string) => Promise<void>;
  /** Sends a signal and waits for the end. */
  readonly end: (signal?: NodeJS.Signals) => Promise<void>;
}

const PROJECT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Starts one and waits until it listens. It ends when its parent does, however that ends. */
export async function startExecutorProcess(env: Readonly<Record<string, string>>): Promise<ExecutorProcess> {
  const port = env['SVC_EXECUTOR_PORT'] ?? String(await freePort());
  const child = spawn(process.execPath, [...SERVICE_OPTIONS, 'services/executor/src/main.ts'], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'] ?? '',
      SVC_HOST: '127.0.0.1',
      SVC_EXECUTOR_ADMIN_PORT: '0',
      UV_THREADPOOL_SIZE: '24',
      SVC_QUERY_MEMORY_MB: '512',
      ...env,
      SVC_EXECUTOR_PORT: port,
    },
  });
  const exited = once(child, 'exit');
  if (child.stdout === null) throw new Error('the executor has no pipe');
  const started = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const entry = JSON.parse(line) as Readonly<Record<string, unknown>>; // every line of its log is an object
    if (entry['msg'] === 'service started') started.resolve();
  });
  await Promise.race([
    started.promise,
    exited.then(() => {
      throw new Error('the executor ended before it listened');
    }),
  ]);
  const url = `http://127.0.0.1:${port}`;
  const send = async (method: 'put' | 'delete', path: string, { body, subject }: { readonly body?: string; readonly subject: string }) => {
    const { mint } = await testAuthorization();
    const headers = body === undefined ? {} : { 'Content-Type': 'text/plain' };
    const answer = await ask(url, method, path, { as: await mint({ sub: subject }), body, headers });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  return {
    url,
    putPackage: (name, body, subject = 'ann') => send('put', `/packages/${name}?replace=true`, { body, subject }),
    deletePackage: (name, subject = 'ann') => send('delete', `/packages/${name}`, { subject }),
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await exited;
    },
  };
}
