import { Command } from '@commander-js/extra-typings';

import type { Cli } from '../cli.ts';
import { configFolder } from '../config/config-folder.ts';
import { findProfile, parseUrl, readProfiles, SERVICE_NAMES, writeProfiles, type Profile } from '../config/profiles.ts';
import { UsageError } from '../failures/cli-errors.ts';
import { printDetails, printTable } from '../output/print-table.ts';

const EXAMPLES = `
Examples:
  $ svc profile set work --url https://svc.example.com
  $ svc profile use work
  $ svc --profile work query '1 + 1'
  $ svc profile show`;

/** `svc profile`. */
export function profileCommand(cli: Cli) {
  return new Command('profile')
    .summary('name installations, and choose the one in use')
    .description('Name installations with their addresses, and choose the one in use.')
    .addHelpText('after', EXAMPLES)
    .addCommand(listCommand(cli))
    .addCommand(showCommand(cli))
    .addCommand(setCommand(cli))
    .addCommand(useCommand(cli))
    .addCommand(deleteCommand(cli));
}

function listCommand({ terminal, profileName }: Cli) {
  return new Command('list').description('List profiles; the one in use has a star.').action(async () => {
    const { profiles } = await readProfiles(configFolder(terminal.env));
    const inUse = await profileName();
    const rows = Object.entries(profiles).toSorted(([one], [other]) => (one < other ? -1 : 1));
    terminal.stdout.write(
      printTable(rows, {
        '': ([name]) => (name === inUse ? '*' : ''),
        name: ([name]) => name,
        url: ([, { url, urls }]) => url ?? urls?.executor,
      }),
    );
  });
}

function showCommand({ terminal, profileName, addresses }: Cli) {
  return new Command('show').description('Show the addresses in use, wherever they come from.').action(async () => {
    terminal.stdout.write(printDetails({ profile: await profileName(), ...(await addresses()) }));
  });
}

function setCommand({ terminal }: Cli) {
  return new Command('set')
    .description('Create or change a profile. What is not given stays as it is.')
    .argument('<name>')
    .option('--url <url>', 'one address for all services')
    .option('--gateway-url <url>', 'the address of the gateway')
    .option('--executor-url <url>', 'the address of the executor')
    .option('--credentials-url <url>', 'the address of the credentials service')
    .option('--stream-url <url>', 'the address of the stream service')
    .action(async (name, { url, gatewayUrl: gateway, executorUrl: executor, credentialsUrl: credentials, streamUrl: stream }) => {
      const given = { gateway, executor, credentials, stream };
      const folder = configFolder(terminal.env);
      const stored = await readProfiles(folder);
      const before: Profile = findProfile(stored, name) ?? {};
      const urls = { ...before.urls };
      for (const service of SERVICE_NAMES) {
        const text = given[service];
        if (text !== undefined) urls[service] = parseUrl(text, `--${service}-url`);
      }
      const profile = { ...before, urls, ...(url !== undefined && { url: parseUrl(url, '--url') }) };
      await writeProfiles(folder, { ...stored, profiles: { ...stored.profiles, [name]: profile } });
    });
}

function useCommand({ terminal }: Cli) {
  return new Command('use')
    .description('Use a profile where none is named.')
    .argument('<name>')
    .action(async (name) => {
      const folder = configFolder(terminal.env);
      const stored = await readProfiles(folder);
      requireProfile(findProfile(stored, name), name);
      await writeProfiles(folder, { ...stored, current: name });
    });
}

function deleteCommand({ terminal }: Cli) {
  return new Command('delete')
    .description('Delete a profile. Sign out of it first: svc logout.')
    .argument('<name>')
    .action(async (name) => {
      const folder = configFolder(terminal.env);
      const stored = await readProfiles(folder);
      requireProfile(findProfile(stored, name), name);
      const { [name]: _deleted, ...profiles } = stored.profiles;
      await writeProfiles(folder, { ...stored, profiles });
    });
}

function requireProfile(profile: Profile | undefined, name: string): void {
  if (profile === undefined) throw new UsageError(`There is no profile ${JSON.stringify(name)}: svc profile list shows them.`);
}
