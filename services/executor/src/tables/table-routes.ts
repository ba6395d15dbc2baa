import type { Principal } from '@svc/auth';
import { routeDefiner } from '@svc/service-kit';
import type { Method, Route } from '@svc/service-kit';

import { LIST_QUERY } from '../catalog/text-wire.ts';
import { rowRoutes } from './row-routes.ts';
import type { TableCatalog } from './table-catalog.ts';
import { TABLE_DETAIL, TABLE_PUT, tableDetail } from './table-wire.ts';

const defineRoute = routeDefiner<Principal>();

/** The endpoints of user tables. */
export function tableRoutes(tables: TableCatalog): readonly Route<Principal>[] {
  return [
    defineRoute({
      method: 'put',
      path: '/tables/:name',
      tag: 'tables',
      summary: 'Makes a table of a type under a name that queries can use.',
      request: { body: { kind: 'json', schema: TABLE_PUT } },
      responses: { 200: { description: 'It is there, empty.' } },
      errors: ['table_name_invalid', 'table_type_invalid', 'table_already_exists', 'index_invalid', 'table_not_indexable'],
      handler: async ({ params, body, caller }) => {
        await tables.put(caller, params.name, { type: body.type, indexes: body.indexes ?? [], location: body.location ?? null });
        return { status: 200 };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/tables',
      tag: 'tables',
      summary: 'Lists tables by name.',
      request: { query: LIST_QUERY },
      responses: { 200: { description: 'The tables.', content: { 'application/json': { type: 'array', items: TABLE_DETAIL } } } },
      handler: async ({ query, caller }) => ({ status: 200, json: (await tables.list(caller, query.pattern)).map(tableDetail) }),
    }),
    defineRoute({
      method: 'get',
      path: '/tables/:name',
      tag: 'tables',
      summary: 'Shows a table.',
      responses: { 200: { description: 'The table.', content: { 'application/json': TABLE_DETAIL } } },
      errors: ['Table_not_found'],
      handler: async ({ params, caller }) => ({ status: 200, json: tableDetail(await tables.get(caller, params.name, 'Table_not_found')) }),
    }),
    // The interface specifies the singular; the plural is accepted too.
    ...(['/table/:name', '/tables/:name'] as const).map((path) => deleteTable(tables, path)),
    ...(['get', 'post'] as const).flatMap((method) => [optimizeTable(tables, method), vacuumTable(tables, method)]),
    ...rowRoutes(tables),
  ];
}

function deleteTable(tables: TableCatalog, path: '/table/:name' | '/tables/:name'): Route<Principal> {
  return defineRoute({
    method: 'delete',
    path,
    tag: 'tables',
    summary: 'Deletes a table with its rows. What uses it says so when it is used.',
    responses: { 204: { description: 'It is gone.' } },
    errors: ['table_not_found', 'table_concurrency_error'],
    handler: async ({ params, caller, log }) => {
      const users = await tables.delete(caller, params.name);
      if (users.length > 0) log.warn({ table: params.name, users }, 'a table was deleted that others use');
      return { status: 204 };
    },
  });
}

/** This GET has side effects, so HEAD is not supported and responses must not be cached. */
const NOT_CACHED = { 'Cache-Control': 'no-store' };

function optimizeTable(tables: TableCatalog, method: Method): Route<Principal> {
  return defineRoute({
    method,
    path: '/tables_optimize/:name',
    head: false,
    tag: 'tables',
    summary: 'Rebuilds the indexes of a table and takes its statistics anew, beside those who read and write.',
    responses: { 200: { description: 'Done.' } },
    errors: ['table_not_found', 'table_concurrency_error'],
    handler: async ({ params, caller, signal }) => {
      await tables.optimize(caller, params.name, signal);
      return { status: 200, headers: NOT_CACHED };
    },
  });
}

function vacuumTable(tables: TableCatalog, method: Method): Route<Principal> {
  return defineRoute({
    method,
    path: '/tables_vacuum/:name',
    head: false,
    tag: 'tables',
    summary: 'Frees the room of rows that are no more, beside those who read and write.',
    responses: { 200: { description: 'Done.' } },
    errors: ['table_not_found', 'table_concurrency_error', 'vacuum_error'],
    handler: async ({ params, caller, signal }) => {
      await tables.vacuum(caller, params.name, signal);
      return { status: 200, headers: NOT_CACHED };
    },
  });
}
