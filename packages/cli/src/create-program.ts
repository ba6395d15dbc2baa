import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';

import packageFile from '../package.json' with { type: 'json' };
import type { Cli, Terminal } from './cli.ts';
import { applicationCommand } from './commands/application-command.ts';
import { completeCommand, completionCommand } from './commands/completion-command.ts';
import { credentialCommand } from './commands/credential-command.ts';
import { keyCommand } from './commands/key-command.ts';
import { loginCommand } from './commands/login-command.ts';
import { logoutCommand } from './commands/logout-command.ts';
import { packageCommand } from './commands/package-command.ts';
import { profileCommand } from './commands/profile-command.ts';
import { queryCommand } from './commands/query-command.ts';
import { streamCommand } from './commands/stream-command.ts';
import { tableCommand } from './commands/table-command.ts';
import { validateCommand } from './commands/validate-command.ts';
import { viewCommand } from './commands/view-command.ts';
import { whoamiCommand } from './commands/whoami-command.ts';
import { openCli } from './open-cli.ts';

const EXAMPLES = `
Examples:
  $ svc query 'SELECT state, COUNT(*) AS airports FROM READ("file:airports.csv") GROUP BY state'
  $ svc validate -f report.rql
  $ svc view put busy_states -f report.rql
  $ svc query 'busy_states' --format csv --output states.csv

Environment:
  SVC_TOKEN            an access token, in place of svc login
  SVC_URL              one address for all services; SVC_EXECUTOR_URL, SVC_GATEWAY_URL,
                       SVC_CREDENTIALS_URL, SVC_STREAM_URL for single ones
  SVC_PROFILE          the profile in use, as --profile
  SVC_CONFIG_DIR       the folder with profiles and tokens
  NO_COLOR             no colors

Exit codes: 0 success, 1 failure, 2 a command line that cannot be used, 130 interrupted.`;

/** All commands, in the order of the help. */
const COMMANDS: readonly ((cli: Cli) => CommandUnknownOpts)[] = [
  queryCommand,
  validateCommand,
  viewCommand,
  packageCommand,
  tableCommand,
  streamCommand,
  credentialCommand,
  applicationCommand,
  keyCommand,
  loginCommand,
  logoutCommand,
  whoamiCommand,
  profileCommand,
  completionCommand,
];

/** Returns the program with all its commands. */
export function createProgram(terminal: Terminal): CommandUnknownOpts {
  const program = new Command('svc')
    .description('Query data in place, in one typed language.')
    .version(packageFile.version, '-V, --version')
    .option('-p, --profile <name>', 'use the addresses and the sign-in of this profile')
    .addHelpText('after', EXAMPLES);
  const cli = openCli(terminal, () => program.opts());
  for (const command of COMMANDS) program.addCommand(command(cli));
  program.addCommand(completeCommand(cli, program), { hidden: true });
  for (const command of withDescendants(program)) {
    command.exitOverride().showHelpAfterError('(svc --help shows what can be given)').configureHelp({ showGlobalOptions: true });
  }
  return program;
}

function withDescendants(command: CommandUnknownOpts): readonly CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(withDescendants)];
}
