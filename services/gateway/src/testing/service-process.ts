import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { SERVICE_OPTIONS, serviceEnvironment } from '@svc/local-stack';

/** A service in a separate process. */
export interface ServiceProcess {
  readonly url: string;
  /** Sends a signal, waits for the end, and returns the exit code. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | null>;
}

const PROJECT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Starts a service and waits until it listens. It ends when its parent does, however that ends. */
export async function startServiceProcess(name: 'executor' | 'gateway', env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [...SERVICE_OPTIONS, `services/${name}/src/main.ts`], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...serviceEnvironment(), SVC_HOST: '127.0.0.1', [`SVC_${name.toUpperCase()}_ADMIN_PORT`]: '0', ...env },
  });
  const exited = once(child, 'exit') as Promise<[number | null]>; // the event's arguments
  if (child.stdout === null) throw new Error(`the ${name} has no pipe`);
  const started = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { msg, url } = JSON.parse(line) as { readonly msg?: string; readonly url?: string }; // every line of its log is an object
    if (msg === 'service started') started.resolve(url ?? '');
  });
  const ended = exited.then(() => {
    throw new Error(`the ${name} ended before it listened`);
  });
  const url = await Promise.race([started.promise, ended]);
  ended.catch(() => undefined);
  return {
    url,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return (await exited)[0];
    },
  };
}
