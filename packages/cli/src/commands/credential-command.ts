import { Argument, Command } from '@commander-js/extra-typings';

import { unwrap } from '@svc/api-client';

import type { Cli } from '../cli.ts';
import { CommandError } from '../failures/cli-errors.ts';
import { CREDENTIAL_KINDS, credentialCalls, KIND_NAMES, requireName, type CredentialKind } from '../credentials/credential-calls.ts';
import { printJson } from '../output/print-json.ts';
import { printDetails, printTable } from '../output/print-table.ts';
import { putCredentialCommand } from './put-credential-command.ts';

const EXAMPLES = `
Secrets are prompted for, or read from standard input, a line each: they stand in no argument.

Examples:
  $ svc credential put bucket sales --region eu-west-1 --access-key AKIA…
  $ svc credential put database crm --host db.example.com --database crm --username reader < password.txt
  $ svc credential list
  $ svc credential check bucket sales
  $ svc credential delete http https://api.example.com/v1`;

/** `svc credential`. */
export function credentialCommand(cli: Cli) {
  return new Command('credential')
    .summary('keep the credentials of buckets, databases and HTTP services')
    .description('Keep the credentials with which queries reach buckets, databases, a file host and HTTP services.')
    .addHelpText('after', EXAMPLES)
    .addCommand(listCommand(cli))
    .addCommand(getCommand(cli))
    .addCommand(putCredentialCommand(cli))
    .addCommand(checkCommand(cli))
    .addCommand(deleteCommand(cli));
}

const kindArgument = () => new Argument('<kind>', 'what the credential is for').choices(KIND_NAMES);

function listCommand({ terminal, services }: Cli) {
  return new Command('list')
    .description('List credentials with their last use and their last error.')
    .option('--json', 'print what the service answers')
    .action(async ({ json }) => {
      const { credentials } = await services();
      const rows = await unwrap(credentials.GET('/credentials'));
      type Row = (typeof rows)[number];
      const columns = {
        kind: (row: Row) => KIND_NAMES.find((kind) => CREDENTIAL_KINDS[kind] === row.kind),
        name: (row: Row) => row.name,
        created: (row: Row) => row.createdAt,
        'last used': (row: Row) => row.lastUsedAt,
        'last error': (row: Row) => row.lastError,
      };
      terminal.stdout.write(json ? printJson(rows) : printTable(rows, columns));
    });
}

function getCommand(cli: Cli) {
  return new Command('get')
    .description('Show a credential, its secrets only if that is wanted.')
    .addArgument(kindArgument())
    .argument('[name]', 'a bucket, a server, or a prefix; the file host has none')
    .option('--show-secrets', 'show secrets too', false)
    .option('--json', 'print JSON')
    .action(async (kind, name, { showSecrets, json }) => {
      const found = await (await calls(cli, kind)).get(requireName(kind, name));
      const shown = showSecrets ? found : hideSecrets(found);
      cli.terminal.stdout.write(json ? printJson(shown) : printDetails(flatten(shown)));
    });
}

function checkCommand(cli: Cli) {
  return new Command('check')
    .description('Try a credential against the system that it is for.')
    .addArgument(kindArgument())
    .argument('[name]', 'a bucket, a server, or a prefix; the file host has none')
    .action(async (kind, name) => {
      const outcome = await (await calls(cli, kind)).check(requireName(kind, name));
      if (!outcome.ok) throw new CommandError(`The credential was not accepted: ${outcome.error ?? 'no reason was given.'}`);
      cli.terminal.stdout.write('accepted\n');
    });
}

function deleteCommand(cli: Cli) {
  return new Command('delete')
    .description('Forget a credential.')
    .addArgument(kindArgument())
    .argument('[name]', 'a bucket, a server, or a prefix; the file host has none')
    .action(async (kind, name) => {
      await (await calls(cli, kind)).delete(requireName(kind, name));
    });
}

async function calls({ services }: Cli, kind: CredentialKind) {
  return credentialCalls((await services()).credentials)[kind];
}

const SECRETS = new Set(['secretKey', 'password', 'accessToken', 'clientSecret', 'token', 'refreshToken']);

/** Replaces the values of secret members, wherever they are. */
function hideSecrets(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      if (SECRETS.has(name) && member !== null) return [name, '********'];
      return [name, typeof member === 'object' && member !== null ? hideSecrets(member) : member];
    }),
  );
}

/** The members of members, under names with dots between. */
function flatten(value: object, path = ''): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
      typeof member === 'object' && member !== null ? Object.entries(flatten(member, `${path}${name}.`)) : [[`${path}${name}`, member]],
    ),
  );
}
