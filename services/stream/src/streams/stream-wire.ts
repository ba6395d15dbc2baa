import type { DeadLetter, StoredStream, StreamLogLine } from '@svc/database';
import type { JsonSchema } from '@svc/service-kit';
import { INDEXES_SCHEMA } from '@svc/user-tables';

const SECURITY = {
  type: ['object', 'null'],
  additionalProperties: false,
  default: null,
  properties: {
    tls: {
      default: true,
      anyOf: [
        { type: 'boolean', description: 'True: the certificate of the broker is one that the system trusts.' },
        {
          type: 'object',
          additionalProperties: false,
          required: ['ca'],
          properties: {
            ca: { type: 'string', maxLength: 65_536, description: 'Certificates as PEM, of which one has signed that of the broker.' },
          },
        },
      ],
    },
    sasl: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['mechanism', 'username', 'password'],
      properties: {
        mechanism: { type: 'string', enum: ['plain', 'scram-sha-256', 'scram-sha-512'] },
        username: { type: 'string', minLength: 1 },
        password: { type: 'string', minLength: 1, description: 'Kept sealed, and never shown.' },
      },
    },
  },
} as const satisfies JsonSchema;

const SOURCE = {
  host: { type: 'string', minLength: 1, description: 'The host of a broker.' },
  port: { type: 'integer', minimum: 1, maximum: 65_535 },
  topic: { type: 'string', minLength: 1 },
  transform: { type: 'string', description: 'A function of a message whose result is a record.' },
  security: SECURITY,
} as const;

/** Table settings of a stream besides the type. */
const TABLE_LIFE = {
  mode: {
    type: 'string',
    enum: ['append', 'upsert'],
    default: 'append',
    description: 'Whether every row is kept, or the latest of a key.',
  },
  keyFields: { type: 'array', minItems: 1, items: { type: 'string' }, description: 'Of "upsert": each of their values has one row.' },
  retention: {
    type: ['object', 'null'],
    additionalProperties: false,
    required: ['interval', 'field'],
    description: 'How long rows are kept; null: for ever.',
    properties: {
      interval: { type: 'string', description: 'ISO 8601, such as P30D.' },
      field: { type: 'string', description: 'The timestamp from which it is counted.' },
    },
  },
  evolve: { type: 'boolean', default: false, description: 'Adds nullable fields that the table lacks.' },
} as const satisfies JsonSchema['properties'];

/** The body that creates a stream. */
export const STREAM_POST = {
  type: 'object',
  additionalProperties: false,
  required: ['host', 'port', 'topic', 'transform'],
  properties: {
    ...SOURCE,
    intervalMillis: { type: 'integer', minimum: 1, maximum: 86_400_000, default: 1000 },
    indexes: INDEXES_SCHEMA,
    location: { type: ['string', 'null'], default: null, description: 'Null: the service keeps the rows.' },
    ...TABLE_LIFE,
  },
} as const satisfies JsonSchema;

/** Body of a request to validate a transform. */
export const STREAM_VALIDATE = {
  type: 'object',
  additionalProperties: false,
  required: ['transform'],
  properties: {
    ...SOURCE,
    sample: { type: 'integer', minimum: 1, maximum: 100, description: 'So many of the latest messages are transformed.' },
  },
} as const satisfies JsonSchema;

/** An entry of the list of streams. */
export const STREAM_ITEM = {
  type: 'object',
  additionalProperties: false,
  required: ['tableName', 'createdAt'],
  properties: {
    tableName: { type: 'string' },
    createdAt: { type: 'string', description: 'Local ISO time in UTC, such as 2026-11-20T09:15:00.123.' },
    ...TABLE_LIFE,
  },
} as const satisfies JsonSchema;

/** A job of a stream. */
export const JOB_STATUS = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'state', 'detail'],
  properties: {
    name: { type: 'string', enum: ['data', 'index', 'retention'] },
    state: { type: 'string', enum: ['preparing', 'running', 'failed'] },
    detail: { type: 'string' },
  },
} as const satisfies JsonSchema;

const POSITION = {
  type: 'object',
  additionalProperties: false,
  required: ['line', 'column'],
  properties: { line: { type: 'integer' }, column: { type: 'integer' } },
} as const;

const RANGE = {
  anyOf: [
    { type: 'object', additionalProperties: false, required: ['begin', 'end'], properties: { begin: POSITION, end: POSITION } },
    { type: 'null' },
  ],
} as const;

const BYTES = { type: ['string', 'null'], description: 'Base64.' } as const;
const PROVENANCE = {
  topic: { type: 'string' },
  partition: { type: 'integer' },
  offset: { type: 'integer' },
  timestamp: { type: 'string' },
  key: BYTES,
  value: BYTES,
} as const;

/** A message that could not be stored. */
export const DEAD_LETTER = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'topic', 'partition', 'offset', 'timestamp', 'key', 'value', 'reason', 'position', 'createdAt'],
  properties: {
    id: { type: 'integer' },
    ...PROVENANCE,
    reason: { type: 'string' },
    position: { ...RANGE, description: 'The place in the transform.' },
    createdAt: { type: 'string' },
  },
} as const satisfies JsonSchema;

/** Result of a replay of dead letters. */
export const REPLAY_RESULT = {
  type: 'object',
  additionalProperties: false,
  required: ['replayed', 'rows', 'dead'],
  properties: {
    replayed: { type: 'integer', description: 'Letters that were tried.' },
    rows: { type: 'integer', description: 'Rows that were stored.' },
    dead: { type: 'integer', description: 'Letters that are still dead, with their new reasons.' },
  },
} as const satisfies JsonSchema;

/** Result of a validation. */
export const VALIDATION = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: {
    type: { type: 'string', description: 'The type of the table.' },
    sample: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['topic', 'partition', 'offset', 'timestamp', 'key', 'value', 'row', 'error'],
        properties: {
          ...PROVENANCE,
          row: { description: 'The row; null where the transform has none for the message, or fails.' },
          error: {
            anyOf: [
              {
                type: 'object',
                additionalProperties: false,
                required: ['message', 'position'],
                properties: { message: { type: 'string' }, position: RANGE },
              },
              { type: 'null' },
            ],
          },
        },
      },
    },
  },
} as const satisfies JsonSchema;

/** A time as streams show it: local ISO text with milliseconds, without a zone, in UTC. A timestamp of Kafka may be none: then it is a number. */
export function printTime(time: Date | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString().slice(0, -1);
}

/** Returns an entry of the list, with the table settings that differ from the defaults. */
export function streamItem({ name, createdAt, settings: { keyFields, retention, evolve } }: StoredStream) {
  return {
    tableName: name,
    createdAt: printTime(createdAt),
    ...(keyFields === null ? {} : { mode: 'upsert' as const, keyFields }),
    ...(retention === null ? {} : { retention: { interval: retention.interval, field: retention.field } }),
    ...(evolve === true ? { evolve } : {}),
  };
}

/** A dead letter on the wire. */
export function deadLetterDetail({ id, topic, partition, offset, timestampMillis, key, value, reason, position, createdAt }: DeadLetter) {
  return {
    id,
    topic,
    partition,
    offset,
    timestamp: printTime(timestampMillis),
    key: base64(key),
    value: base64(value),
    reason,
    // As jsonb its members have no order.
    position: position === null ? null : { begin: placeOf(position.begin), end: placeOf(position.end) },
    createdAt: printTime(createdAt),
  };
}

function placeOf({ line, column }: { readonly line: number; readonly column: number }) {
  return { line, column };
}

/** Bytes on the wire. */
export function base64(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes).toString('base64');
}

/** A line of a job's log: time of day, level, message. */
export function printLogLine({ at, level, message }: StreamLogLine): string {
  return `${at.toISOString().slice(11, 23)} ${level} ${message.replaceAll(/[\r\n]+/g, ' ')}\n`;
}
