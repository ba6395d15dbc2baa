import { ownValue } from '@svc/query-language';

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { Principal } from '@svc/auth';
import { describePackage, type OpenApiVersion } from '@svc/endpoints';
import type { QueryRuntime } from '@svc/query-runtime';
import { routeDefiner } from '@svc/service-kit';
import type { Reply, Route } from '@svc/service-kit';
import Negotiator from 'negotiator';

import type { StoredTexts } from '../catalog/stored-texts.ts';
import { printLocalTime } from '../catalog/text-wire.ts';

const defineRoute = routeDefiner<Principal>();

const VERSIONS: Readonly<Record<string, OpenApiVersion>> = { '3.0': '3.0.3', '3.0.3': '3.0.3', '3.1': '3.1.0', '3.1.0': '3.1.0' };
const OAI = 'application/vnd.oai.openapi+json';

/** Available versions by media type; on equal preference the first is used. */
const MEDIA_TYPES: Readonly<Record<string, OpenApiVersion>> = {
  'application/json': '3.0.3',
  [`${OAI};version=3.0`]: '3.0.3',
  [`${OAI};version=3.1`]: '3.1.0',
  [OAI]: '3.0.3',
  'application/json;version=3.0': '3.0.3',
  'application/json;version=3.1': '3.1.0',
};

/** The endpoint that describes those of a package. */
export function openapiRoutes({ packages }: Pick<StoredTexts, 'packages'>, runtime: QueryRuntime): readonly Route<Principal>[] {
  return [
    defineRoute({
      method: 'get',
      path: '/openapi/v3/package/:name',
      tag: 'packages',
      summary: 'Describes the REST endpoints of a package: OpenAPI 3.0.3, or 3.1 where that is asked for.',
      request: {
        query: {
          properties: {
            version: { type: 'string', enum: Object.keys(VERSIONS), description: 'The version of OpenAPI; counts more than Accept.' },
          },
        },
      },
      responses: {
        200: {
          description: 'The document.',
          content: Object.fromEntries(Object.keys(MEDIA_TYPES).map((type) => [type, { type: 'object' }])),
          headers: { ETag: { description: 'Changes with the document.', schema: { type: 'string' } } },
        },
        304: { description: 'The document is the one that If-None-Match names.' },
      },
      errors: ['package_not_found', 'query errors', 'service_unavailable'],
      handler: async ({ params, query, caller, signal, req }) => {
        const { name, text, createdAt, updatedAt } = await packages.get(caller, params.name);
        const { functions } = await runtime.checkPackage(caller, { name, text }, signal);
        const accepted = new Negotiator(req).mediaType(Object.keys(MEDIA_TYPES)) ?? 'application/json';
        const openapi = query.version === undefined ? ownValue(MEDIA_TYPES, accepted) : ownValue(VERSIONS, query.version);
        const document = describePackage({ name, version: printLocalTime(updatedAt ?? createdAt), functions }, openapi ?? '3.0.3');
        return answerDocument(JSON.stringify(document), { req, openapi: openapi ?? '3.0.3', isOai: accepted.startsWith(OAI) });
      },
    }),
  ];
}

interface DocumentAnswer {
  readonly req: IncomingMessage;
  readonly openapi: OpenApiVersion;
  /** True if the caller named OpenAPI's own media type. */
  readonly isOai: boolean;
}

function answerDocument(text: string, { req, openapi, isOai }: DocumentAnswer): Reply {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  // Private, since another caller may have another package of the name; revalidated, since any put may change it.
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'Accept, Authorization' };
  if (isNamed(etag, req.headers['if-none-match'])) return { status: 304, headers };
  const type = isOai ? `${OAI};version=${openapi.slice(0, 3)}` : 'application/json; charset=utf-8';
  return { status: 200, text, headers: { ...headers, 'Content-Type': type } };
}

/** Returns whether an If-None-Match matches a tag: `*` matches any, and weak comparison ignores `W/`. */
function isNamed(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || [...header.matchAll(/(?:W\/)?("[^"]*")/g)].some((match) => match[1] === etag);
}
