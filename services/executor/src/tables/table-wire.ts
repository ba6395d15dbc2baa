import type { StoredTable } from '@svc/database';
import type { JsonSchema } from '@svc/service-kit';
import { INDEXES_SCHEMA } from '@svc/user-tables';

const TABLE_TIME = { type: 'array', items: { type: 'integer' }, minItems: 7, maxItems: 7 } as const;

/** Body of a request to create a table. */
export const TABLE_PUT = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: {
    type: { type: 'string', description: 'Any collection, such as collection(record(id: int, name: string)).' },
    indexes: INDEXES_SCHEMA,
    location: { type: ['string', 'null'], default: null, description: 'Null: the service keeps the rows.' },
  },
} as const satisfies JsonSchema;

/** A table on the wire. */
export const TABLE_DETAIL = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'type', 'location', 'createdAt', 'updatedAt'],
  properties: {
    name: { type: 'string' },
    type: { type: 'string' },
    location: { type: ['string', 'null'] },
    createdAt: { ...TABLE_TIME, description: 'Year, month, day, hour, minute, second, nanoseconds, in UTC.' },
    updatedAt: { anyOf: [TABLE_TIME, { type: 'null' }] },
  },
} as const satisfies JsonSchema;

/** A table as its answers show it. */
export function tableDetail({ name, type, location, createdAt, updatedAt }: StoredTable) {
  return { name, type, location, createdAt: timeParts(createdAt), updatedAt: updatedAt === null ? null : timeParts(updatedAt) };
}

/** The seven integers of a time, in UTC. */
function timeParts(time: Date): readonly number[] {
  return [
    time.getUTCFullYear(),
    time.getUTCMonth() + 1,
    time.getUTCDate(),
    time.getUTCHours(),
    time.getUTCMinutes(),
    time.getUTCSeconds(),
    time.getUTCMilliseconds() * 1_000_000,
  ];
}
