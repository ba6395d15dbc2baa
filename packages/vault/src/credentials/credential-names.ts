import { isIP } from 'node:net';

import type { CredentialKind } from '@svc/database';

import { parsePrefix } from './prefix-url.ts';

/** A name as names of its kind are compared, or why it cannot be one. */
export type ParsedName = { readonly kind: 'name'; readonly name: string } | { readonly kind: 'unusable'; readonly reason: string };

/** The rule of each kind's names. */
export const NAME_RULES = {
  objbucket: parseBucketName,
  rdbmsserver: parseServerName,
  // One token per user.
  'filehost-token': () => ({ kind: 'name', name: '' }),
  'http-credential': parsePrefixUrl,
} as const satisfies Readonly<Record<CredentialKind, (text: string) => ParsedName>>;

const BUCKET = /^[a-z0-9](?:[a-z0-9.-]{1,61})[a-z0-9]$/;
const SERVER = /^[A-Za-z0-9_.-]{1,64}$/;

function parseBucketName(text: string): ParsedName {
  if (BUCKET.test(text) && !text.includes('..') && isIP(text) === 0) return { kind: 'name', name: text };
  return {
    kind: 'unusable',
    reason:
      'The field name must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens, first and last a letter or digit, no two dots in a row, no IP address.',
  };
}

function parseServerName(text: string): ParsedName {
  if (SERVER.test(text)) return { kind: 'name', name: text };
  return { kind: 'unusable', reason: 'The field name must have 1 to 64 letters, digits, "_", "." and "-".' };
}

function parsePrefixUrl(text: string): ParsedName {
  const parsed = parsePrefix(text);
  if (parsed.kind === 'prefix') return { kind: 'name', name: parsed.normal };
  return { kind: 'unusable', reason: `The field prefixUrl ${parsed.reason}.` };
}
