import { unwrap } from '@svc/api-client';

import type { Cli } from '../cli.ts';
import { PLAIN_TEXT } from './plain-text.ts';
import { storedTextCommand } from './stored-text-command.ts';

/** `svc view`. */
export function viewCommand(cli: Cli) {
  return storedTextCommand(cli, {
    noun: 'view',
    description: 'list, show, store and delete views: queries that others can name',
    text: 'the query of the view',
    calls: async ({ services }) => {
      const { executor } = await services();
      const at = (name: string) => ({ path: { name } });
      return {
        list: async (pattern) => unwrap(executor.GET('/views', { params: { query: pattern === undefined ? {} : { pattern } } })),
        get: async (name) => unwrap(executor.GET('/views/{name}', { params: at(name) })),
        put: async (name, body, { replace }) =>
          (await unwrap(executor.PUT('/views/{name}', { ...PLAIN_TEXT, params: { ...at(name), query: { replace } }, body }))).type,
        delete: async (name) => unwrap(executor.DELETE('/views/{name}', { params: at(name) })),
      };
    },
  });
}
