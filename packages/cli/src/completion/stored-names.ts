import { unwrap } from '@svc/api-client';

import type { Cli, Services } from '../cli.ts';
import { configFolder } from '../config/config-folder.ts';
import { readProfiles } from '../config/profiles.ts';

/** Something that a word can become. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** Short, since completion is interactive. */
const TIMEOUT_MS = 1500;

type NameList = (services: Services) => Promise<readonly Candidate[]>;

/** Lists the names for each noun. */
const LISTS: ReadonlyMap<string, NameList> = new Map(
  Object.entries<NameList>({
    view: async ({ executor }) => (await unwrap(executor.GET('/views'))).map(({ name }) => named(name)),
    package: async ({ executor }) => (await unwrap(executor.GET('/packages'))).map(({ name }) => named(name)),
    table: async ({ executor }) => (await unwrap(executor.GET('/tables'))).map(({ name, type }) => named(name, type)),
    stream: async ({ stream }) => (await unwrap(stream.GET('/stream'))).map(({ tableName }) => named(tableName)),
    credential: async ({ credentials }) => (await unwrap(credentials.GET('/credentials'))).map(({ name, kind }) => named(name ?? '', kind)),
    application: async ({ gateway }) =>
      (await unwrap(gateway.GET('/svc/1/api/admin/applications'))).map(({ application }) => named(application)),
    key: async ({ gateway }) => (await unwrap(gateway.GET('/svc/1/api/admin/keys'))).map(({ name, status }) => named(name, status)),
  }),
);

/** Returns the names of stored objects; none if they cannot be listed in time. */
export async function namesOf(cli: Cli, noun: string): Promise<readonly Candidate[]> {
  try {
    if (noun === 'profile') return Object.keys((await readProfiles(configFolder(cli.terminal.env))).profiles).map((name) => named(name));
    const list = LISTS.get(noun);
    return list === undefined ? [] : await list(await cli.services({ timeoutMs: TIMEOUT_MS }));
  } catch {
    // A message would interrupt the command line.
    return [];
  }
}

function named(value: string, description = ''): Candidate {
  return { value, description };
}
