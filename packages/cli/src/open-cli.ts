import { createServiceClient, type TokenSource } from '@svc/api-client';

import type { Cli, ConnectOptions, Services, Terminal } from './cli.ts';
import { configFolder } from './config/config-folder.ts';
import { DEFAULT_PROFILE, findProfile, readProfiles, resolveAddresses } from './config/profiles.ts';
import { CommandError, UsageError } from './failures/cli-errors.ts';
import { openSession } from './session/session.ts';

/** Options of every command. */
export interface GlobalOptions {
  readonly profile?: string | undefined;
}

/** Long enough for a maintenance of a large table. */
const TIMEOUT_MS = 600_000;

/** Creates the dependencies of commands. Nothing is read before a command needs it. */
export function openCli(terminal: Terminal, options: () => GlobalOptions): Cli {
  const { env } = terminal;
  const folder = configFolder(env);
  const stored = once(() => readProfiles(folder));
  const profileName = async (): Promise<string> => options().profile ?? (env['SVC_PROFILE'] || (await stored()).current);
  const profile = async () => findProfile(await stored(), await profileName());
  const addresses = once(async () => {
    const isChosen = options().profile !== undefined;
    const found = await profile();
    if (found === undefined && (await profileName()) !== DEFAULT_PROFILE)
      throw new UsageError(`There is no profile ${JSON.stringify(await profileName())}: svc profile set makes one.`);
    return resolveAddresses({ env, profile: found, isChosen });
  });
  const tokens = once(async () => (env['SVC_TOKEN'] ? givenToken(env['SVC_TOKEN']) : openSession(folder, await profileName())));
  return {
    terminal,
    profileName,
    profile,
    addresses,
    tokens,
    services: async (limits: ConnectOptions = {}): Promise<Services> => {
      const { gateway, executor, credentials, stream } = await addresses();
      const shared = { tokens: await tokens(), signal: terminal.signal, timeoutMs: TIMEOUT_MS, ...limits };
      return {
        gateway: createServiceClient({ baseUrl: gateway, ...shared }),
        executor: createServiceClient({ baseUrl: executor, ...shared }),
        credentials: createServiceClient({ baseUrl: credentials, ...shared }),
        stream: createServiceClient({ baseUrl: stream, ...shared }),
      };
    },
  };
}

/** A token of the environment cannot be renewed. */
function givenToken(token: string): TokenSource {
  return {
    accessToken: async () => token,
    renew: async () => {
      throw new CommandError('The service refused the token in SVC_TOKEN: it is not valid, or not any more.');
    },
  };
}

function once<Value>(open: () => Promise<Value>): () => Promise<Value> {
  let opened: Promise<Value> | undefined;
  return () => (opened ??= open());
}
