import { Command } from '@commander-js/extra-typings';

import { unwrap } from '@svc/api-client';

import type { Cli, Services } from '../cli.ts';
import { UsageError } from '../failures/cli-errors.ts';
import { collect, parseMoment, parseRateLimit, parseSeconds } from '../input/parse-options.ts';
import { printJson } from '../output/print-json.ts';
import { printDetails, printTable } from '../output/print-table.ts';

const KEYS = '/svc/1/api/admin/keys';
const KEY = '/svc/1/api/admin/keys/{id}';
/** Page size; the service's maximum. */
const PAGE = 1000;
const EXAMPLES = `
A key is named by its id, or by its name where no other key has that.

Examples:
  $ svc key create website --scope shop:read --expires 90d --rate-limit 100/60s
  $ svc key list
  $ svc key rotate website --grace 1h
  $ svc key deactivate website
  $ curl -H "X-SVC-API-KEY: $(svc key reveal website)" https://svc.example.com/shop/1/public/orders`;

/** `svc key`. */
export function keyCommand(cli: Cli) {
  return new Command('key')
    .summary('create, show, rotate, activate and delete API keys')
    .description('Create, show, rotate, activate and delete API keys.')
    .addHelpText('after', EXAMPLES)
    .addCommand(listCommand(cli))
    .addCommand(getCommand(cli))
    .addCommand(createCommand(cli))
    .addCommand(rotateCommand(cli))
    .addCommand(activationCommand(cli, true))
    .addCommand(activationCommand(cli, false))
    .addCommand(revealCommand(cli))
    .addCommand(deleteCommand(cli));
}

function listCommand({ terminal, services }: Cli) {
  return new Command('list')
    .description('List keys, oldest first.')
    .option('--json', 'print what the service answers')
    .action(async ({ json }) => {
      const { gateway } = await services();
      const keys = await listKeys(gateway);
      type Key = (typeof keys)[number];
      const columns = {
        id: (key: Key) => key.id,
        name: (key: Key) => key.name,
        key: (key: Key) => `${key.keyPrefix}…`,
        status: (key: Key) => key.status,
        expires: (key: Key) => key.expiresAt,
        scopes: (key: Key) => key.scopes.join(','),
      };
      terminal.stdout.write(json ? printJson(keys) : printTable(keys, columns));
    });
}

function getCommand(cli: Cli) {
  return new Command('get')
    .description('Show a key, without its value.')
    .argument('<key>')
    .option('--json', 'print what the service answers')
    .action(async (named, { json }) => {
      const id = await findKey(cli, named);
      const { gateway } = await cli.services();
      const key = await unwrap(gateway.GET(KEY, { params: { path: { id } } }));
      cli.terminal.stdout.write(json ? printJson(key) : printDetails(key));
    });
}

function createCommand({ terminal, services }: Cli) {
  return new Command('create')
    .alias('put')
    .description('Create a key, and show it with its value.')
    .argument('<name>', 'a label')
    .option('-s, --scope <scope>', 'a scope that an application declares (repeatable)', collect, [])
    .option('--expires <time>', 'when it ends: ISO 8601 in UTC, or from now, such as 90d')
    .option('--rate-limit <calls/time>', 'calls in a time, such as 100/60s')
    .option('--inactive', 'create it inactive')
    .option('--json', 'print what the service answers')
    .action(async (name, { scope, expires, rateLimit, inactive, json }) => {
      const { gateway } = await services();
      const body = {
        name,
        scopes: [...scope],
        active: inactive !== true,
        ...(expires !== undefined && { expiresAt: parseMoment('--expires', expires, new Date()) }),
        ...(rateLimit !== undefined && { rateLimit: parseRateLimit(rateLimit) }),
      };
      const key = await unwrap(gateway.POST(KEYS, { body }));
      terminal.stdout.write(json ? printJson(key) : printDetails(key));
    });
}

function rotateCommand(cli: Cli) {
  return new Command('rotate')
    .description('Give a key a new value, and print it.')
    .argument('<key>')
    .option('--grace <time>', 'how long the value before stays valid, such as 1h', '0s')
    .action(async (named, { grace }) => {
      const id = await findKey(cli, named);
      const { gateway } = await cli.services();
      const body = { graceSeconds: parseSeconds('--grace', grace) };
      const { key } = await unwrap(gateway.POST(`${KEY}/rotate`, { params: { path: { id } }, body }));
      cli.terminal.stdout.write(`${key}\n`);
    });
}

function activationCommand(cli: Cli, active: boolean) {
  return new Command(active ? 'activate' : 'deactivate')
    .description(active ? 'Let a key grant access again.' : 'Keep a key, but let it grant no access.')
    .argument('<key>')
    .action(async (named) => {
      const id = await findKey(cli, named);
      const { gateway } = await cli.services();
      await unwrap(gateway.PATCH(KEY, { params: { path: { id } }, body: { active } }));
    });
}

function revealCommand(cli: Cli) {
  return new Command('reveal')
    .description('Print the value of a key.')
    .argument('<key>')
    .action(async (named) => {
      const id = await findKey(cli, named);
      const { gateway } = await cli.services();
      const { key } = await unwrap(gateway.POST(`${KEY}/reveal`, { params: { path: { id } } }));
      cli.terminal.stdout.write(`${key}\n`);
    });
}

function deleteCommand(cli: Cli) {
  return new Command('delete')
    .description('Delete a key.')
    .argument('<key>')
    .action(async (named) => {
      const id = await findKey(cli, named);
      const { gateway } = await cli.services();
      await unwrap(gateway.DELETE(KEY, { params: { path: { id } } }));
    });
}

/** Returns the id of a key given by id or name. An unknown one is passed on: the service reports it. */
async function findKey({ services }: Cli, named: string): Promise<string> {
  const { gateway } = await services();
  const keys = await listKeys(gateway);
  if (keys.some(({ id }) => id === named)) return named;
  const found = keys.filter(({ name }) => name === named);
  if (found.length > 1)
    throw new UsageError(
      `${found.length} keys have the name ${JSON.stringify(named)}; use an id: ${found.map(({ id }) => id).join(', ')}.`,
    );
  return found[0]?.id ?? named;
}

/** Returns all keys, page by page. */
async function listKeys(gateway: Services['gateway']) {
  const read = (after?: string) => unwrap(gateway.GET(KEYS, { params: { query: { limit: PAGE, ...(after !== undefined && { after }) } } }));
  let page = await read();
  const keys = [...page];
  while (page.length === PAGE) {
    page = await read(keys.at(-1)?.id);
    keys.push(...page);
  }
  return keys;
}
