import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freeSettings, startStack } from '../stack.ts';

/** The services that a client calls. */
export const SERVICES = ['gateway', 'executor', 'credentials', 'stream'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** A stack for the command line. */
export interface CliWorld {
  /** The addresses of the services. */
  readonly urls: Readonly<Record<ServiceName, string>>;
  readonly close: () => Promise<void>;
}

/** Starts a stack. */
export async function openCliWorld(): Promise<CliWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-cli-'));
  const settings: Readonly<Record<string, string>> = await freeSettings(join(folder, 'data'));
  const stack = startStack(settings);
  await stack.ready;
  const at = (name: ServiceName): string => `http://127.0.0.1:${settings[`SVC_${name.toUpperCase()}_PORT`] ?? ''}`;
  return {
    urls: { gateway: at('gateway'), executor: at('executor'), credentials: at('credentials'), stream: at('stream') },
    close: async () => {
      stack.process.kill('SIGTERM');
      await stack.ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
