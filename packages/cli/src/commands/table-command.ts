import { Command } from '@commander-js/extra-typings';

import { unwrap } from '@svc/api-client';

import type { Cli } from '../cli.ts';
import { printJson } from '../output/print-json.ts';
import { printDetails, printTable } from '../output/print-table.ts';
import { appendCommand } from './append-command.ts';
import { collectIndex } from './index-option.ts';

const EXAMPLES = `
Examples:
  $ svc table put orders --type 'collection(record(id: long, city: string))' --index id
  $ svc table append orders -f orders.csv
  $ svc table get orders
  $ svc table delete orders`;

/** `svc table`. */
export function tableCommand(cli: Cli) {
  return new Command('table')
    .summary('list, show, create, fill and delete tables')
    .description('List, show, create, fill and delete tables.')
    .addHelpText('after', EXAMPLES)
    .addCommand(listCommand(cli))
    .addCommand(getCommand(cli))
    .addCommand(putCommand(cli))
    .addCommand(appendCommand(cli))
    .addCommand(maintenanceCommand(cli, 'optimize', 'Optimize how a table is stored.'))
    .addCommand(maintenanceCommand(cli, 'vacuum', 'Remove what a table does not need any more.'))
    .addCommand(deleteCommand(cli));
}

function listCommand({ terminal, services }: Cli) {
  return new Command('list')
    .description('List tables by name.')
    .option('--pattern <pattern>', 'only names like this: % stands for any text, _ for one character')
    .option('--json', 'print what the service answers')
    .action(async ({ pattern, json }) => {
      const { executor } = await services();
      const rows = await unwrap(executor.GET('/tables', { params: { query: pattern === undefined ? {} : { pattern } } }));
      const columns = { name: (row: (typeof rows)[number]) => row.name, type: (row: (typeof rows)[number]) => row.type };
      terminal.stdout.write(json ? printJson(rows) : printTable(rows, columns));
    });
}

function getCommand({ terminal, services }: Cli) {
  return new Command('get')
    .description('Show a table.')
    .argument('<name>')
    .option('--json', 'print what the service answers')
    .action(async (name, { json }) => {
      const { executor } = await services();
      const table = await unwrap(executor.GET('/tables/{name}', { params: { path: { name } } }));
      const { type, location, createdAt, updatedAt } = table;
      const details = { name: table.name, type, location, created: printTime(createdAt), updated: printTime(updatedAt) };
      terminal.stdout.write(json ? printJson(table) : printDetails(details));
    });
}

function putCommand({ services }: Cli) {
  return new Command('put')
    .alias('create')
    .description('Create a table.')
    .argument('<name>')
    .requiredOption('-t, --type <type>', 'the type of the table: a collection of records, as a rule')
    .option('-i, --index <fields>', 'index a field, or several with commas between (repeatable)', collectIndex, [])
    .option('--location <url>', 'where the table is stored; without it, the service keeps the rows')
    .action(async (name, { type, index: indexes, location = null }) => {
      const { executor } = await services();
      await unwrap(executor.PUT('/tables/{name}', { params: { path: { name } }, body: { type, indexes, location } }));
    });
}

function maintenanceCommand({ services }: Cli, verb: 'optimize' | 'vacuum', description: string) {
  return new Command(verb)
    .description(description)
    .argument('<name>')
    .action(async (name) => {
      const { executor } = await services();
      await unwrap(executor.POST(`/tables_${verb}/{name}`, { params: { path: { name } } }));
    });
}

function deleteCommand({ services }: Cli) {
  return new Command('delete')
    .description('Delete a table with its rows.')
    .argument('<name>')
    .action(async (name) => {
      const { executor } = await services();
      await unwrap(executor.DELETE('/tables/{name}', { params: { path: { name } } }));
    });
}

/** Tables show times as seven integers: year, month, day, hour, minute, second, nanoseconds. */
function printTime(time: readonly number[] | null): string | null {
  if (time === null) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, nanos = 0] = time;
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second, Math.floor(nanos / 1e6))).toISOString().slice(0, -1);
}
