import type { Principal } from '@svc/auth';
import { routeDefiner } from '@svc/service-kit';
import type { Route } from '@svc/service-kit';
import type { RowFormat } from '@svc/user-tables';

import type { TableCatalog } from './table-catalog.ts';

const defineRoute = routeDefiner<Principal>();

const CSV = 'text/csv';

const ROWS_STORED = {
  type: 'object',
  additionalProperties: false,
  required: ['rows'],
  properties: { rows: { type: 'integer', minimum: 0, description: 'How many rows were stored.' } },
} as const;

/** The endpoint that appends rows: an addition to the interface. */
export function rowRoutes(tables: TableCatalog): readonly Route<Principal>[] {
  return [
    defineRoute({
      method: 'post',
      path: '/tables/:name/rows',
      tag: 'tables',
      summary: 'Appends rows to a table: all of them, or none.',
      request: {
        headers: {
          properties: {
            'Idempotency-Key': {
              type: 'string',
              minLength: 1,
              maxLength: 255,
              description: 'Rows that are sent again under their key within a day are not stored again.',
            },
          },
        },
        body: {
          kind: 'stream',
          description: 'JSON lines, or CSV with a header; UTF-8, of any length, plain or compressed by gzip or zstd.',
          mediaTypes: ['application/x-ndjson', 'application/jsonl', CSV],
        },
      },
      responses: { 200: { description: 'The rows are stored.', content: { 'application/json': ROWS_STORED } } },
      errors: ['table_not_found', 'table_concurrency_error'],
      handler: async ({ params, headers, body, caller, signal }) => {
        const format: RowFormat = body.mediaType === CSV ? 'csv' : 'json-lines';
        const idempotencyKey = headers['Idempotency-Key'] ?? null;
        return {
          status: 200,
          json: { rows: await tables.append(caller, params.name, { body: body.bytes, format, idempotencyKey, signal }) },
        };
      },
    }),
  ];
}
