import { Command, Option } from '@commander-js/extra-typings';

import { unwrap } from '@svc/api-client';

import type { Cli } from '../cli.ts';
import { UsageError } from '../failures/cli-errors.ts';
import { reportSource } from '../failures/report-source.ts';
import { wholeNumber } from '../input/parse-options.ts';
import { readText } from '../input/read-text.ts';
import { openSecretReader } from '../input/secret-reader.ts';
import { printJson } from '../output/print-json.ts';
import { printTable } from '../output/print-table.ts';
import { collectIndex } from './index-option.ts';

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
const EXAMPLES = `
Examples:
  $ svc stream validate -f orders.rql
  $ svc stream create orders --host kafka.example.com --port 9092 --topic orders -f orders.rql
  $ svc stream get orders
  $ svc stream logs orders
  $ svc stream dead-letters orders
  $ svc stream replay orders`;

/** `svc stream`. */
export function streamCommand(cli: Cli) {
  return new Command('stream')
    .summary('store the messages of Kafka topics as rows of tables')
    .description('Store the messages of Kafka topics as rows of tables.')
    .addHelpText('after', EXAMPLES)
    .addCommand(listCommand(cli))
    .addCommand(getCommand(cli))
    .addCommand(createCommand(cli))
    .addCommand(validateCommand(cli))
    .addCommand(logsCommand(cli))
    .addCommand(deadLettersCommand(cli))
    .addCommand(replayCommand(cli))
    .addCommand(changeCommand(cli, 'pause', 'Stop the jobs of a stream until it is resumed.'))
    .addCommand(changeCommand(cli, 'resume', 'Let a paused stream go on where it was.'))
    .addCommand(changeCommand(cli, 'kill', 'Stop the jobs of a stream for good.'))
    .addCommand(deleteCommand(cli));
}

function listCommand({ terminal, services }: Cli) {
  return new Command('list')
    .description('List streams by name.')
    .option('--json', 'print what the service answers')
    .action(async ({ json }) => {
      const { stream } = await services();
      const rows = await unwrap(stream.GET('/stream'));
      terminal.stdout.write(json ? printJson(rows) : printTable(rows, { name: (row) => row.tableName, created: (row) => row.createdAt }));
    });
}

function getCommand({ terminal, services }: Cli) {
  return new Command('get')
    .description('Show the jobs of a stream.')
    .argument('<name>')
    .option('--json', 'print what the service answers')
    .action(async (name, { json }) => {
      const { stream } = await services();
      const jobs = await unwrap(stream.GET('/stream/{name}', { params: { path: { name } } }));
      const columns = {
        job: (job: (typeof jobs)[number]) => job.name,
        state: (job: (typeof jobs)[number]) => job.state,
        detail: (job: (typeof jobs)[number]) => job.detail,
      };
      terminal.stdout.write(json ? printJson(jobs) : printTable(jobs, columns));
    });
}

function createCommand({ terminal, services }: Cli) {
  return new Command('create')
    .alias('put')
    .description('Create a stream: its table is there when the command ends.')
    .argument('<name>', 'the name of the stream and of its table')
    .argument('[transform]', 'a function of a message; without it, --file or standard input')
    .requiredOption('--host <host>', 'the host of a broker')
    .option('--port <port>', 'the port of the broker', wholeNumber('--port', { min: 1, max: 65_535 }), 9092)
    .requiredOption('--topic <topic>', 'the topic')
    .option('-f, --file <path>', 'read the transform from a file (- is standard input)')
    .option('--interval <millis>', 'how often the topic is polled', wholeNumber('--interval', { min: 1, max: 86_400_000 }), 1000)
    .option('-i, --index <fields>', 'index a field, or several with commas between (repeatable)', collectIndex, [])
    .option('--location <url>', 'where the table is stored; without it, the service keeps the rows')
    .option('--tls', 'connect to the broker by TLS', false)
    .addOption(
      new Option('--sasl <mechanism>', 'log in to the broker; the password is prompted for, or read from standard input').choices(
        MECHANISMS,
      ),
    )
    .option('--username <name>', 'who logs in')
    .action(async (name, text, options) => {
      const { host, port, topic, file, interval: intervalMillis, index: indexes, location = null, tls, sasl, username } = options;
      if ((sasl === undefined) !== (username === undefined)) throw new UsageError('--sasl and --username belong together.');
      if (sasl !== undefined && text === undefined && (file === undefined || file === '-'))
        throw new UsageError('With --sasl, standard input is for the password: give the transform by --file.');
      const source = await readText(terminal, { text, file }, 'a transform');
      const login =
        sasl === undefined || username === undefined
          ? null
          : { mechanism: sasl, username, password: await openSecretReader(terminal)(`password of ${username}`) };
      const security = tls || login !== null ? { tls, sasl: login } : null;
      const { stream } = await services();
      const body = { host, port, topic, transform: source.text, intervalMillis, indexes, location, security };
      await reportSource(source, unwrap(stream.POST('/stream/{name}', { params: { path: { name } }, body })));
    });
}

function validateCommand({ terminal, services }: Cli) {
  return new Command('validate')
    .description('Check a transform, and print the type of the table that it would make.')
    .argument('[transform]', 'the text; without it, --file or standard input')
    .option('-f, --file <path>', 'read the transform from a file (- is standard input)')
    .action(async (text, { file }) => {
      const source = await readText(terminal, { text, file }, 'a transform');
      const { stream } = await services();
      const { type } = await reportSource(
        source,
        unwrap(stream.POST('/stream-validate', { body: { transform: source.text, security: null } })),
      );
      terminal.stdout.write(`${type}\n`);
    });
}

function logsCommand({ terminal, services }: Cli) {
  return new Command('logs')
    .description('Print the latest lines that a job has logged.')
    .argument('<name>')
    .argument('[job]', 'data or index', 'data')
    .action(async (name, job) => {
      const { stream } = await services();
      terminal.stdout.write(await unwrap(stream.GET('/stream/{name}/logs/{job}', { params: { path: { name, job } }, parseAs: 'text' })));
    });
}

function deadLettersCommand({ terminal, services }: Cli) {
  return new Command('dead-letters')
    .description('Show messages that could not be stored, with the reason.')
    .argument('<name>')
    .option('--after <id>', 'only those behind the letter of this id', wholeNumber('--after', { min: 0, max: Number.MAX_SAFE_INTEGER }), 0)
    .option('--limit <count>', 'at most so many', wholeNumber('--limit', { min: 1, max: 1000 }), 100)
    .option('--json', 'print what the service answers, with keys and values')
    .action(async (name, { after, limit, json }) => {
      const { stream } = await services();
      const letters = await unwrap(stream.GET('/stream/{name}/dead-letters', { params: { path: { name }, query: { after, limit } } }));
      type Letter = (typeof letters)[number];
      const columns = {
        id: (letter: Letter) => letter.id,
        partition: (letter: Letter) => letter.partition,
        offset: (letter: Letter) => letter.offset,
        reason: (letter: Letter) => letter.reason,
      };
      terminal.stdout.write(json ? printJson(letters) : printTable(letters, columns));
    });
}

function replayCommand({ terminal, services }: Cli) {
  return new Command('replay')
    .description('Run the transform over the dead letters once more.')
    .argument('<name>')
    .action(async (name) => {
      const { stream } = await services();
      const done = await unwrap(stream.POST('/stream/{name}/dead-letters/replay', { params: { path: { name } } }));
      terminal.stdout.write(`${done.replayed} replayed, ${done.rows} rows stored, ${done.dead} still dead\n`);
    });
}

function changeCommand({ services }: Cli, change: 'pause' | 'resume' | 'kill', description: string) {
  return new Command(change)
    .description(description)
    .argument('<name>')
    .action(async (name) => {
      const { stream } = await services();
      await unwrap(stream.POST(`/stream/{name}/${change}`, { params: { path: { name } } }));
    });
}

function deleteCommand({ services }: Cli) {
  return new Command('delete')
    .description('Stop a stream and forget it. Its table stays.')
    .argument('<name>')
    .option('--force', 'do not wait for a batch that is being stored', false)
    .action(async (name, { force }) => {
      const { stream } = await services();
      await unwrap(stream.DELETE('/stream/{name}', { params: { path: { name }, query: { force } } }));
    });
}
