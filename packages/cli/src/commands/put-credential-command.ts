import { readFile } from 'node:fs/promises';

import { Command, Option } from '@commander-js/extra-typings';

import { unwrap } from '@svc/api-client';

import type { Cli } from '../cli.ts';
import { CommandError } from '../failures/cli-errors.ts';
import { wholeNumber } from '../input/parse-options.ts';
import { openSecretReader } from '../input/secret-reader.ts';

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

/** `svc credential put`: one command per kind, since their members differ. */
export function putCredentialCommand(cli: Cli) {
  return new Command('put')
    .alias('create')
    .description('Register a credential. Its secrets are prompted for, or read from standard input, a line each.')
    .addCommand(bucketCommand(cli))
    .addCommand(databaseCommand(cli))
    .addCommand(fileHostCommand(cli))
    .addCommand(basicCommand(cli))
    .addCommand(clientCommand(cli))
    .addCommand(tokenCommand(cli));
}

function bucketCommand({ terminal, services }: Cli) {
  return new Command('bucket')
    .description('Register a bucket, with its keys unless it is public. Secret: the secret key.')
    .argument('<name>', 'the name of the bucket')
    .requiredOption('--region <region>', 'where the bucket is')
    .option('--access-key <id>', 'the id of the access key')
    .action(async (name, { region, accessKey }) => {
      const keys = accessKey === undefined ? {} : { credentials: { accessKey, secretKey: await openSecretReader(terminal)('secret key') } };
      const { credentials } = await services();
      await unwrap(credentials.POST('/objbuckets', { body: { name, region, ...keys } }));
    });
}

function databaseCommand({ terminal, services }: Cli) {
  return new Command('database')
    .description('Register a PostgreSQL server under a name that queries use. Secret: the password, where there is a user.')
    .argument('<name>', 'the name that queries use')
    .requiredOption('--host <host>', 'the host of the server')
    .option('--port <port>', 'its port', wholeNumber('--port', { min: 1, max: 65_535 }), 5432)
    .requiredOption('--database <name>', 'the database')
    .option('--username <name>', 'who logs in')
    .addOption(new Option('--sslmode <mode>', 'how the connection is secured').choices(SSL_MODES))
    .option('--sslrootcert <path>', 'a file with the certificates that are trusted (PEM)')
    .action(async (name, { host, port, database, username = null, sslmode, sslrootcert }) => {
      const properties = {
        ...(sslmode !== undefined && { sslmode }),
        ...(sslrootcert !== undefined && { sslrootcert: await readCertificates(sslrootcert) }),
      };
      const password = username === null ? null : await openSecretReader(terminal)(`password of ${username}`);
      const { credentials } = await services();
      const body = { name, vendor: 'postgresql', host, port, database, username, password, properties } as const;
      await unwrap(credentials.POST('/rdbmsservers', { body }));
    });
}

function fileHostCommand({ terminal, services }: Cli) {
  return new Command('filehost')
    .description('Register the token of the file host. Secret: the access token.')
    .requiredOption('--uid <id>', 'your user id at the file host')
    .action(async ({ uid }) => {
      const accessToken = await openSecretReader(terminal)('access token');
      const { credentials } = await services();
      await unwrap(credentials.POST('/filehost-tokens', { body: { accessToken, tokenType: 'bearer', uid } }));
    });
}

function basicCommand({ terminal, services }: Cli) {
  return new Command('http-basic')
    .description('Register user and password for all URLs below a prefix. Secret: the password.')
    .argument('<prefix>', 'a URL')
    .requiredOption('--user <name>', 'who logs in')
    .action(async (prefixUrl, { user }) => {
      const password = await openSecretReader(terminal)(`password of ${user}`);
      const { credentials } = await services();
      await unwrap(credentials.POST('/http-creds', { body: { prefixUrl, credentials: { type: 'basic-auth', user, password } } }));
    });
}

function clientCommand({ terminal, services }: Cli) {
  return new Command('http-client')
    .description('Register an OAuth client for all URLs below a prefix. Secret: the client secret.')
    .argument('<prefix>', 'a URL')
    .requiredOption('--client-id <id>', 'the id of the client')
    .requiredOption('--token-url <url>', 'where it gets its tokens')
    .option('--basic-auth', 'send id and secret in the header Authorization', false)
    .option('--scope <scopes>', 'scopes of the token, with blanks between them')
    .option('--audience <audience>', 'whom the token is for, where the authorization server asks')
    .action(async (prefixUrl, { clientId, tokenUrl, basicAuth: useBasicAuth, scope = null, audience = null }) => {
      const clientSecret = await openSecretReader(terminal)('client secret');
      const { credentials } = await services();
      const client = { type: 'oauth-client', clientId, clientSecret, tokenUrl, useBasicAuth, scope, audience } as const;
      await unwrap(credentials.POST('/http-creds', { body: { prefixUrl, credentials: client } }));
    });
}

function tokenCommand({ terminal, services }: Cli) {
  return new Command('http-token')
    .description('Register an OAuth token for all URLs below a prefix. Secrets: the token, and the refresh token with --token-url.')
    .argument('<prefix>', 'a URL')
    .option('--token-url <url>', 'where the token is refreshed')
    .action(async (prefixUrl, { tokenUrl }) => {
      const read = openSecretReader(terminal);
      const token = await read('token');
      const refresh = tokenUrl === undefined ? {} : { tokenUrl, refreshToken: await read('refresh token') };
      const { credentials } = await services();
      await unwrap(credentials.POST('/http-creds', { body: { prefixUrl, credentials: { type: 'oauth-token', token, ...refresh } } }));
    });
}

async function readCertificates(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`, { cause: error });
  }
}
