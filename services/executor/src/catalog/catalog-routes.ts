import type { Principal } from '@svc/auth';
import type { CatalogEntry } from '@svc/database';
import { routeDefiner } from '@svc/service-kit';
import type { JsonSchema, Route } from '@svc/service-kit';

import type { StoredTexts } from './stored-texts.ts';

const defineRoute = routeDefiner<Principal>();

const USES = {
  type: 'array',
  description: 'What it uses itself.',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['kind', 'name'],
    properties: { kind: { type: 'string', enum: ['view', 'table', 'package'] }, name: { type: 'string' } },
  },
} as const satisfies JsonSchema;

const TEXTS = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'type', 'uses'],
    properties: { name: { type: 'string' }, type: { type: 'string' }, uses: USES },
  },
} as const satisfies JsonSchema;

const CATALOG = {
  type: 'object',
  additionalProperties: false,
  required: ['views', 'tables', 'packages'],
  properties: {
    views: TEXTS,
    tables: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'type'],
        properties: { name: { type: 'string' }, type: { type: 'string' } },
      },
    },
    packages: TEXTS,
  },
} as const satisfies JsonSchema;

/** Lists all objects of a namespace in one snapshot, for tools and completion. */
export function catalogRoutes({ names }: Pick<StoredTexts, 'names'>): readonly Route<Principal>[] {
  return [
    defineRoute({
      method: 'get',
      path: '/catalog',
      tag: 'catalog',
      summary: 'Lists views, tables and packages with their types and what each uses.',
      responses: { 200: { description: 'What can be named in a query.', content: { 'application/json': CATALOG } } },
      handler: async ({ caller }) => {
        const { entries } = await names.listAll(caller.namespace);
        const texts = (kind: 'view' | 'package') => entries.filter((entry) => entry.kind === kind).map(textEntry);
        const tables = entries.filter(({ kind }) => kind === 'table').map(({ name, type }) => ({ name, type }));
        return { status: 200, json: { views: texts('view'), tables, packages: texts('package') } };
      },
    }),
  ];
}

function textEntry(entry: CatalogEntry) {
  const { name, type } = entry;
  return { name, type, uses: entry.kind === 'table' ? [] : entry.uses };
}
