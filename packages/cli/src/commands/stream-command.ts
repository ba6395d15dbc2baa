import { Command } from '@commander-js/extra-typings';

import { unwrap } from '@svc/api-client';

import type { Cli } from '../cli.ts';
import { wholeNumber } from '../input/parse-options.ts';
import { printJson } from '../output/print-json.ts';
import { printTable } from '../output/print-table.ts';
import { createStreamCommand } from './create-stream-command.ts';
import { validateStreamCommand } from './validate-stream-command.ts';

const EXAMPLES = `
Examples:
  $ svc stream validate -f orders.rql
  $ svc stream validate -f orders.rql --host kafka.example.com --topic orders --sample 5
  $ svc stream create orders --host kafka.example.com --port 9092 --topic orders -f orders.rql
  $ svc stream create prices --host kafka.example.com --topic prices -f prices.rql --key-fields product
  $ svc stream create clicks --host kafka.example.com --topic clicks -f clicks.rql --keep P30D --keep-from at
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
    .addCommand(createStreamCommand(cli))
    .addCommand(validateStreamCommand(cli))
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

function logsCommand({ terminal, services }: Cli) {
  return new Command('logs')
    .description('Print the latest lines that a job has logged.')
    .argument('<name>')
    .argument('[job]', 'data, index or retention', 'data')
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
