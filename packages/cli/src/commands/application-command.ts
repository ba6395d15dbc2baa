import { Command } from '@commander-js/extra-typings';

import { unwrap } from '@svc/api-client';

import type { Cli } from '../cli.ts';
import { describeDefinitionProblems } from '../failures/definition-problems.ts';
import { readText } from '../input/read-text.ts';
import { printJson } from '../output/print-json.ts';
import { printTable } from '../output/print-table.ts';

const APPLICATION = '/svc/1/api/admin/applications/{name}';
const EXAMPLES = `
Examples:
  $ svc application put shop -f shop.yaml
  $ svc application list
  $ svc application get shop > shop.yaml`;

/** `svc application`. */
export function applicationCommand(cli: Cli) {
  return new Command('application')
    .summary('list, show, store and delete applications: endpoints with their scopes')
    .description('List, show, store and delete applications: endpoints with their scopes.')
    .addHelpText('after', EXAMPLES)
    .addCommand(listCommand(cli))
    .addCommand(getCommand(cli))
    .addCommand(putCommand(cli))
    .addCommand(deleteCommand(cli));
}

function listCommand({ terminal, services }: Cli) {
  return new Command('list')
    .description('List the endpoints of all applications, and what is wrong with them now.')
    .option('--json', 'print what the service answers')
    .action(async ({ json }) => {
      const { gateway } = await services();
      const applications = await unwrap(gateway.GET('/svc/1/api/admin/applications'));
      if (json) return void terminal.stdout.write(printJson(applications));
      terminal.stdout.write(printEndpoints(applications));
      for (const { application, problems } of applications) {
        if (problems.length === 0) continue;
        terminal.stderr.write([`Wrong with ${application}:`, ...describeDefinitionProblems(problems), ''].join('\n'));
      }
    });
}

function getCommand({ terminal, services }: Cli) {
  return new Command('get')
    .description('Print the definition of an application as it was stored.')
    .argument('<name>')
    .option('--json', 'print the endpoints, and what is wrong with them now')
    .action(async (name, { json }) => {
      const { gateway } = await services();
      const params = { path: { name } };
      if (json) return void terminal.stdout.write(printJson(await unwrap(gateway.GET(APPLICATION, { params }))));
      const definition = await unwrap(gateway.GET(`${APPLICATION}/definition`, { params, parseAs: 'text' }));
      terminal.stdout.write(definition);
    });
}

function putCommand({ terminal, services }: Cli) {
  return new Command('put')
    .description('Store the definition of an application, in place of the one before.')
    .argument('<name>')
    .option('-f, --file <path>', 'the definition, YAML or JSON (- is standard input)')
    .action(async (name, { file }) => {
      const { text } = await readText(terminal, { file }, 'a definition');
      const { gateway } = await services();
      const application = await unwrap(
        gateway.PUT(APPLICATION, {
          params: { path: { name } },
          headers: { 'Content-Type': 'application/yaml' },
          // Sent unchanged; the client types the parsed form.
          body: text as never,
        }),
      );
      terminal.stdout.write(printEndpoints([application]));
    });
}

function deleteCommand({ services }: Cli) {
  return new Command('delete')
    .description('Delete an application. Keys keep its scopes.')
    .argument('<name>')
    .action(async (name) => {
      const { gateway } = await services();
      await unwrap(gateway.DELETE(APPLICATION, { params: { path: { name } } }));
    });
}

interface Application {
  readonly application: string;
  readonly endpoints: readonly {
    readonly method: string;
    readonly path: string;
    readonly visibility: string;
    readonly scopes: readonly string[];
    readonly function: string;
  }[];
}

function printEndpoints(applications: readonly Application[]): string {
  const rows = applications.flatMap(({ application, endpoints }) => endpoints.map((endpoint) => ({ application, ...endpoint })));
  return printTable(rows, {
    application: (row) => row.application,
    method: (row) => row.method,
    path: (row) => row.path,
    visibility: (row) => row.visibility,
    scopes: (row) => row.scopes.join(',') || null,
    function: (row) => row.function,
  });
}
