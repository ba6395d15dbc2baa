import { Command } from '@commander-js/extra-typings';

import { unwrap } from '@svc/api-client';

import type { Cli } from '../cli.ts';
import { printJson } from '../output/print-json.ts';
import { PLAIN_TEXT } from './plain-text.ts';
import { storedTextCommand } from './stored-text-command.ts';

/** `svc package`. */
export function packageCommand(cli: Cli) {
  return storedTextCommand(cli, {
    noun: 'package',
    description: 'list, show, store and delete packages: functions and data that queries import',
    text: 'the code of the package',
    calls: async ({ services }) => {
      const { executor } = await services();
      const at = (name: string) => ({ path: { name } });
      return {
        list: async (pattern) => unwrap(executor.GET('/packages', { params: { query: pattern === undefined ? {} : { pattern } } })),
        get: async (name) => unwrap(executor.GET('/packages/{name}', { params: at(name) })),
        put: async (name, body, { replace }) =>
          (await unwrap(executor.PUT('/packages/{name}', { ...PLAIN_TEXT, params: { ...at(name), query: { replace } }, body }))).type,
        delete: async (name) => unwrap(executor.DELETE('/packages/{name}', { params: at(name) })),
      };
    },
  }).addCommand(
    new Command('openapi')
      .description('Print the OpenAPI document of the REST endpoints of a package.')
      .argument('<name>')
      .action(async (name) => {
        const { executor } = await cli.services();
        const document = await unwrap(executor.GET('/openapi/v3/package/{name}', { params: { path: { name } } }));
        cli.terminal.stdout.write(printJson(document));
      }),
  );
}
