import type { StoredText } from '@svc/database';
import type { JsonSchema } from '@svc/service-kit';

/** A time as views and packages show it: local ISO text with milliseconds, without a zone, in UTC. */
export function printLocalTime(time: Date): string {
  return time.toISOString().slice(0, -1);
}

/** The detail of a view or a package on the wire. */
export function textDetail({ name, text, createdAt, updatedAt }: StoredText) {
  return { name, query: text, createdAt: printLocalTime(createdAt), updatedAt: updatedAt === null ? null : printLocalTime(updatedAt) };
}

const TIME = { type: 'string', description: 'Local ISO time in UTC, such as 2026-11-20T09:15:00.123.' } as const;

/** The schema of `textDetail`. */
export const TEXT_DETAIL = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'query', 'createdAt', 'updatedAt'],
  properties: {
    name: { type: 'string' },
    query: { type: 'string' },
    createdAt: TIME,
    updatedAt: { type: ['string', 'null'], description: 'Null until it was replaced.' },
  },
} as const satisfies JsonSchema;

/** Schema of the response to a put. */
export const RESULT_TYPE = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: { type: { type: 'string', description: 'The type of the result, such as collection(string).' } },
} as const satisfies JsonSchema;

/** The parameters of lists. */
export const LIST_QUERY = {
  properties: { pattern: { type: 'string', description: 'An SQL LIKE pattern of names: % any text, _ one character, \\ before either.' } },
} as const;

/** Parameters of puts. */
export const PUT_QUERY = {
  properties: { replace: { type: 'boolean', default: false, description: 'Replaces what has the name, in one step.' } },
} as const;
