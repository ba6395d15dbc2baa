import { Option, type Command, type OptionValues } from '@commander-js/extra-typings';

import type { Terminal } from '../cli.ts';
import { UsageError } from '../failures/cli-errors.ts';
import { wholeNumber } from '../input/parse-options.ts';
import { readText, type TextArguments } from '../input/read-text.ts';
import { openSecretReader } from '../input/secret-reader.ts';

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/** Adds the options of a broker's address and login, without those of its host and topic. */
export function withBrokerOptions<Arguments extends unknown[], Options extends OptionValues>(command: Command<Arguments, Options>) {
  return command
    .option('--port <port>', 'the port of the broker', wholeNumber('--port', { min: 1, max: 65_535 }), 9092)
    .option('--tls', 'connect to the broker by TLS', false)
    .option('--ca <path>', 'a file with the certificates that are trusted (PEM), in place of those of the system; implies --tls')
    .addOption(
      new Option('--sasl <mechanism>', 'log in to the broker; the password is prompted for, or read from standard input').choices(
        MECHANISMS,
      ),
    )
    .option('--username <name>', 'who logs in');
}

/** The values of `withBrokerOptions` that secure the connection. */
export interface BrokerOptions {
  readonly tls: boolean;
  readonly ca?: string | undefined;
  readonly sasl?: (typeof MECHANISMS)[number] | undefined;
  readonly username?: string | undefined;
}

/** Reads the security of a broker connection: certificates from their file, the password from the terminal. Null if none is requested. */
export async function readSecurity(terminal: Terminal, { tls, ca, sasl, username }: BrokerOptions, transform: TextArguments) {
  if ((sasl === undefined) !== (username === undefined)) throw new UsageError('--sasl and --username belong together.');
  if (sasl !== undefined && transform.text === undefined && (transform.file === undefined || transform.file === '-'))
    throw new UsageError('With --sasl, standard input is for the password: give the transform by --file.');
  const login =
    sasl === undefined || username === undefined
      ? null
      : { mechanism: sasl, username, password: await openSecretReader(terminal)(`password of ${username}`) };
  if (ca === undefined) return tls || login !== null ? { tls, sasl: login } : null;
  const certificates = await readText(terminal, { file: ca }, 'certificates');
  return { tls: { ca: certificates.text }, sasl: login };
}
