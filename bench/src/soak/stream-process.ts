import { fileURLToPath } from 'node:url';

import { startServiceChild } from '@svc/test-kit';

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

/** Starts a process and waits until it listens; prints its errors. */
export async function startStreamProcess(env: Readonly<Record<string, string>>): Promise<StreamProcess> {
  const child = await startServiceChild({
    entry: MAIN,
    env: { SVC_STREAM_PORT: '0', SVC_STREAM_ADMIN_PORT: '0', ...env },
    onLog: (entry) => {
      if (entry['level'] === 'error' || entry['level'] === 'fatal') console.error(JSON.stringify(entry));
    },
  });
  let isPaused = false;
  return {
    url: child.url,
    pid: child.pid,
    isPaused: () => isPaused,
    pause: () => {
      isPaused = true;
      void child.signal('SIGSTOP');
    },
    wake: () => {
      void child.signal('SIGCONT');
      isPaused = false;
    },
    end: child.signal,
  };
}
