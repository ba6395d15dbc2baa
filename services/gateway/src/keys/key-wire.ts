import { apiKeyStatus } from '@svc/auth';
import type { StoredApiKey } from '@svc/database';
import { ServiceError } from '@svc/errors';
import type { JsonSchema } from '@svc/service-kit';

const NAME = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  pattern: '^ *[^\\u0000-\\u0020\\u007f][^\\u0000-\\u001f\\u007f]*$',
  description: 'a label that says what the key is for, without control characters',
} as const satisfies JsonSchema;
const EXPIRES_AT = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?Z$',
  description: 'ISO 8601 in UTC, such as 2026-11-20T09:15:00Z, in the future',
} as const satisfies JsonSchema;
const RATE_LIMIT = {
  type: 'object',
  additionalProperties: false,
  required: ['requests', 'seconds'],
  properties: { requests: { type: 'integer', minimum: 1, maximum: 1_000_000 }, seconds: { type: 'integer', minimum: 1, maximum: 86_400 } },
  description: 'At most so many calls in any window of so many seconds.',
} as const satisfies JsonSchema;
const OPTIONAL_RATE_LIMIT = { anyOf: [RATE_LIMIT, { type: 'null' }] } as const satisfies JsonSchema;

/** Body of a request for a key. */
export const KEY_REQUEST = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: NAME,
    expiresAt: EXPIRES_AT,
    active: { type: 'boolean', description: 'True, if it is left out.' },
    scopes: {
      type: 'array',
      items: { type: 'string', maxLength: 200 },
      uniqueItems: true,
      maxItems: 200,
      description: 'Scopes that applications of the namespace declare.',
    },
    rateLimit: OPTIONAL_RATE_LIMIT,
  },
} as const satisfies JsonSchema;

/** The body that changes a key. */
export const KEY_CHANGE = {
  type: 'object',
  additionalProperties: false,
  properties: { name: NAME, active: { type: 'boolean' }, expiresAt: EXPIRES_AT, rateLimit: OPTIONAL_RATE_LIMIT },
} as const satisfies JsonSchema;

/** Body of a request for a rotation. */
export const ROTATION = {
  type: 'object',
  additionalProperties: false,
  properties: {
    graceSeconds: {
      type: 'integer',
      minimum: 0,
      maximum: 604_800,
      description: 'For how long the value before holds; 0, if it is left out.',
    },
  },
} as const satisfies JsonSchema;

const TIME = { type: 'string', format: 'date-time' } as const satisfies JsonSchema;
const COMMON = {
  id: { type: 'string' },
  name: { type: 'string' },
  expiresAt: TIME,
  active: { type: 'boolean' },
  scopes: { type: 'array', items: { type: 'string' } },
  rateLimit: OPTIONAL_RATE_LIMIT,
  status: { type: 'string', enum: ['active', 'inactive', 'expired'] },
  createdBy: { type: 'string' },
  createdAt: TIME,
  lastUsedAt: { ...TIME, type: ['string', 'null'], description: 'At most 30 seconds late.' },
} as const;
const COMMON_NAMES = [
  'id',
  'name',
  'expiresAt',
  'active',
  'scopes',
  'rateLimit',
  'status',
  'createdBy',
  'createdAt',
  'lastUsedAt',
] as const;

/** A key without its value, with its first characters only. */
export const KEY = {
  type: 'object',
  additionalProperties: false,
  required: [...COMMON_NAMES, 'keyPrefix'],
  properties: { ...COMMON, keyPrefix: { type: 'string', description: 'The first characters of the value.' } },
} as const satisfies JsonSchema;

/** A key with its value, which is shown once. */
export const KEY_WITH_VALUE = {
  type: 'object',
  additionalProperties: false,
  required: [...COMMON_NAMES, 'key'],
  properties: { ...COMMON, key: { type: 'string', description: 'The value, to be sent as X-SVC-API-KEY.' } },
} as const satisfies JsonSchema;

/** Writes a key without its value. */
export function keyJson(key: StoredApiKey, now: Date) {
  const { keyPrefix, ...common } = toJson(key, now);
  return { ...common, keyPrefix };
}

/** Writes a key with its value. */
export function keyWithValueJson({ key, value }: { readonly key: StoredApiKey; readonly value: string }, now: Date) {
  const { id, name, keyPrefix: _, ...rest } = toJson(key, now);
  return { id, name, key: value, ...rest };
}

function toJson(key: StoredApiKey, now: Date) {
  return {
    id: key.id,
    name: key.name,
    keyPrefix: key.keyPrefix,
    expiresAt: key.expiresAt.toISOString(),
    active: key.isActive,
    scopes: key.scopes,
    rateLimit: key.rateLimit,
    status: apiKeyStatus(key, now),
    createdBy: key.createdBy,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  };
}

/** Reads an expiry that has the schema's form; a day that no calendar has is a `bad_request`. */
export function readExpiry(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  // A date that rolls over, such as 30 February, is another day when it is written again.
  if (Number.isNaN(time.getTime()) || time.toISOString().slice(0, 10) !== text.slice(0, 10))
    throw new ServiceError('bad_request', 'The field expiresAt must be a time that exists, such as 2026-11-20T09:15:00Z.');
  return time;
}
