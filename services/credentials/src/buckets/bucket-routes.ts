import type { Principal } from '@svc/auth';
import { routeDefiner, type Route } from '@svc/service-kit';
import type { Credentials } from '@svc/vault';

import { HEADER_TEXT, TEXT } from '../text-schemas.ts';

const defineRoute = routeDefiner<Principal>();

const KEYS = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['accessKey', 'secretKey'],
  properties: { accessKey: HEADER_TEXT, secretKey: TEXT },
} as const;

/** A region is part of a host name, which limits its characters. */
const REGION = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$', description: '1 to 64 letters, digits, "_" and "-"' } as const;

const BUCKET_POST = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'region'],
  properties: { name: TEXT, region: REGION, credentials: KEYS },
} as const;

const BUCKET_DETAIL = {
  type: 'object',
  required: ['name', 'credentials'],
  properties: { name: { type: 'string' }, credentials: KEYS },
} as const;

/** The endpoints of object-store buckets. */
export function bucketRoutes(credentials: Credentials): readonly Route<Principal>[] {
  const bucket = (subject: string, name: string) => ({ subject, kind: 'objbucket', name }) as const;
  return [
    defineRoute({
      method: 'post',
      path: '/objbuckets',
      tag: 'buckets',
      summary: 'Registers the region and the keys of a bucket. Without keys it is read anonymously.',
      request: { body: { kind: 'json', schema: BUCKET_POST } },
      responses: { 201: { description: 'It is registered.' } },
      errors: ['objstore_credentials_already_exists'],
      handler: async ({ body, caller }) => {
        await credentials.register(bucket(caller.subject, body.name), { region: body.region, keys: body.credentials ?? null });
        return { status: 201 };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/objbuckets',
      tag: 'buckets',
      summary: 'Lists the names of the registered buckets.',
      responses: { 200: { description: 'Names.', content: { 'application/json': { type: 'array', items: { type: 'string' } } } } },
      handler: async ({ caller }) => ({ status: 200, json: await credentials.listNames(caller.subject, 'objbucket') }),
    }),
    defineRoute({
      method: 'get',
      path: '/objbuckets/:name',
      tag: 'buckets',
      summary: 'Shows a bucket with its keys.',
      responses: { 200: { description: 'The bucket.', content: { 'application/json': BUCKET_DETAIL } } },
      errors: ['objstore_credentials_not_found', 'credentials_unreadable'],
      handler: async ({ params, caller }) => {
        const { name, contents } = await credentials.read(bucket(caller.subject, params.name));
        return { status: 200, json: { name, credentials: contents.keys } };
      },
    }),
    defineRoute({
      method: 'delete',
      path: '/objbuckets/:name',
      tag: 'buckets',
      summary: 'Forgets a bucket and its keys.',
      responses: { 204: { description: 'It is forgotten.' } },
      errors: ['objstore_credentials_not_found'],
      handler: async ({ params, caller }) => {
        await credentials.delete(bucket(caller.subject, params.name));
        return { status: 204 };
      },
    }),
  ];
}
