import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { openStacks, tokenOf, type Stacks } from '../stack.ts';
import { installCli, runProgram, type ProgramResult, type RunOptions } from './installed-cli.ts';

/** The services that a client calls. */
export const SERVICES = ['gateway', 'executor', 'credentials', 'stream'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** A stack, and the command line installed as a user installs it. */
export interface CliWorld {
  /** The addresses of the services. */
  readonly urls: Readonly<Record<ServiceName, string>>;
  readonly authorizationUrl: string;
  /** A folder for the files of tests. */
  readonly folder: string;
  /** The installed program. */
  readonly program: string;
  /** Environment of `svc`: addresses, a token, a configuration folder. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs `svc`, and waits for its end. */
  readonly svc: (args: readonly string[], options?: RunOptions) => Promise<ProgramResult>;
  readonly tokenOf: (...args: readonly string[]) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Starts a stack with further settings, and installs the command line. */
export async function openCliWorld(settings: Readonly<Record<string, string>>): Promise<CliWorld> {
  const stacks = await openStacks();
  const folder = await mkdtemp(join(tmpdir(), 'svc-cli-'));
  const close = async (): Promise<void> => {
    await stacks.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const [program] = await Promise.all([installCli(folder), stacks.start(settings).ready]);
    return { ...(await describeWorld(stacks, folder, program)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function describeWorld({ settings }: Stacks, folder: string, program: string): Promise<Omit<CliWorld, 'close'>> {
  const ports: Readonly<Record<string, string>> = settings;
  const at = (area: string): string => `http://127.0.0.1:${ports[`SVC_${area}_PORT`] ?? ''}`;
  const urls = { gateway: at('GATEWAY'), executor: at('EXECUTOR'), credentials: at('CREDENTIALS'), stream: at('STREAM') };
  const token = async (...args: readonly string[]): Promise<string> => (await tokenOf(settings, ...args)).trim();
  const env = {
    PATH: `${dirname(program)}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    TERM: 'xterm',
    SVC_CONFIG_DIR: join(folder, 'config'),
    SVC_TOKEN: await token('--sub', 'ann', '--scope', 'svc:admin'),
    ...Object.fromEntries(Object.entries(urls).map(([name, url]) => [`SVC_${name.toUpperCase()}_URL`, url])),
  };
  return {
    urls,
    authorizationUrl: at('AUTHORIZATION'),
    folder,
    program,
    env,
    svc: (args, options) => runProgram(program, args, { ...options, env: { ...env, ...options?.env } }),
    tokenOf: token,
  };
}
