import { createHash } from 'node:crypto';

import type { Principal } from '@svc/auth';
import { describeApplications, isOpen, type OpenApiVersion, type WorkingEndpoint } from '@svc/endpoints';
import type { StoredApiKey } from '@svc/database';
import { routeDefiner, type Route } from '@svc/service-kit';
import type { Request } from 'express';

import type { ApplicationCache } from '../applications/application-cache.ts';
import { readApiKeyHeader, refuseKey } from '../callers/api-key-header.ts';
import { countCall, type CallCount } from '../callers/count-call.ts';
import type { KeyCheck } from '../callers/key-check.ts';

const defineRoute = routeDefiner<Principal>();

const VERSIONS: ReadonlyMap<string, OpenApiVersion> = new Map([
  ['3.0', '3.0.3'],
  ['3.0.3', '3.0.3'],
  ['3.1', '3.1.0'],
  ['3.1.0', '3.1.0'],
]);

/** Dependencies of the OpenAPI route. */
export interface OpenApiRouteOptions extends CallCount {
  readonly applications: ApplicationCache;
  readonly keyCheck: KeyCheck;
}

/** The endpoint that describes those which a key can call. */
export function openApiRoute(options: OpenApiRouteOptions): Route<Principal> {
  return defineRoute({
    method: 'get',
    path: '/svc/1/api/admin/endpoints/open-api',
    tag: 'endpoints',
    summary: 'Describes the endpoints that the API key in X-SVC-API-KEY can call: OpenAPI 3.0.3, or 3.1 where that is asked for.',
    // Authenticated by an API key, not by an access token.
    auth: 'none',
    request: { query: { properties: { version: { type: 'string', enum: [...VERSIONS.keys()] } } } },
    responses: {
      200: {
        description: 'The document.',
        content: { 'application/json': { type: 'object' } },
        headers: { ETag: { description: 'Changes with the document.', schema: { type: 'string' } } },
      },
      304: { description: 'The document is the one that If-None-Match names.' },
    },
    errors: ['unauthorized', 'too_many_requests', 'service_unavailable'],
    handler: async ({ req, res, query }) => {
      const text = readApiKeyHeader(req);
      const key = text === undefined ? null : await options.keyCheck.find(text);
      if (key === null) throw refuseKey();
      await countCall(key, res, options);
      const version = VERSIONS.get(query.version ?? '') ?? '3.0.3';
      // The application is Express, which resolves proxy headers. An empty Host, and none in HTTP/1.0, names no address.
      const { protocol, host } = req as { readonly protocol: string; readonly host: string | undefined } & Request;
      const serverUrl = host === undefined ? '/' : `${protocol}://${host}`;
      const applications = await listCallable(options.applications, key);
      const body = JSON.stringify(describeApplications(applications, { serverUrl, version }));
      const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
      const headers = { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'X-SVC-API-KEY' };
      if (isNamed(etag, req.headers['if-none-match'])) return { status: 304, headers };
      return { status: 200, text: body, headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' } };
    },
  });
}

/** The applications of a key's namespace with those endpoints that it may call and that can be answered. */
async function listCallable(applications: ApplicationCache, key: StoredApiKey) {
  const isCallable = (one: WorkingEndpoint): boolean => isOpen(one) || one.endpoint.scopes.every((scope) => key.scopes.includes(scope));
  const described = (await applications.list(key.namespace)).map(({ name, content, endpoints }) => ({
    name,
    title: content.title,
    description: content.description,
    endpoints: endpoints.filter((one) => one.kind === 'working').filter(isCallable),
  }));
  return described.filter(({ endpoints }) => endpoints.length > 0);
}

/** Returns whether an If-None-Match matches a tag: `*` matches any, and weak comparison ignores `W/`. */
function isNamed(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || [...header.matchAll(/(?:W\/)?("[^"]*")/g)].some((match) => match[1] === etag);
}
