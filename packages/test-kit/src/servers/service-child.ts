import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A service in a separate process. */
export interface ServiceChild {
  readonly url: string;
  readonly pid: number;
  /** The latest output. */
  readonly output: () => string;
  /** Resolves when it has ended for any reason. */
  readonly ended: Promise<void>;
  /** Sends a signal; waits for the end after one that ends it. */
  readonly signal: (signal: NodeJS.Signals) => Promise<void>;
}

/** Options of the process. */
export interface ServiceChildOptions {
  /** The main file. */
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
  /** Called with each line of its log. */
  readonly onLog?: (entry: Readonly<Record<string, unknown>>) => void;
}

const GOES_ON: ReadonlySet<NodeJS.Signals> = new Set(['SIGSTOP', 'SIGCONT']);
const KEPT_CHARACTERS = 10_000;

/** Starts a service and waits until it listens. It ends when its parent does, however that ends. */
export async function startServiceChild({ entry, env, onLog }: ServiceChildOptions): Promise<ServiceChild> {
  const { SERVICE_OPTIONS, serviceEnvironment } = await import('@svc/local-stack');
  const child = spawn(process.execPath, [...SERVICE_OPTIONS, entry], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...serviceEnvironment(), SVC_HOST: '127.0.0.1', UV_THREADPOOL_SIZE: '16', ...env },
  });
  const ended = once(child, 'exit').then(() => undefined);
  let output = '';
  const keep = (text: string): void => void (output = `${output}${text}`.slice(-KEPT_CHARACTERS));
  child.stderr?.on('data', (bytes: Buffer) => keep(bytes.toString()));
  const started = Promise.withResolvers<string>();
  if (child.stdout === null) throw new Error('the service has no pipe');
  createInterface({ input: child.stdout }).on('line', (line) => {
    keep(`${line}\n`);
    const log = JSON.parse(line) as Readonly<Record<string, unknown>>; // every line of its log is an object
    onLog?.(log);
    if (log['msg'] === 'service started') started.resolve(String(log['url']));
  });
  const early = ended.then(() => Promise.reject(new Error(`The service ended before it listened:\n${output}`)));
  early.catch(() => undefined);
  const url = await Promise.race([started.promise, early]);
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
