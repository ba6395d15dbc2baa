import type { Principal } from '@svc/auth';
import { APPLICATION_SCHEMA, DEFINITION_MEDIA_TYPES } from '@svc/endpoints';
import { ServiceError } from '@svc/errors';
import { routeDefiner, type JsonSchema, type RequestStream, type Route } from '@svc/service-kit';

import type { ApplicationAdministration } from './application-administration.ts';

const defineRoute = routeDefiner<Principal>();
const APPLICATIONS = '/svc/1/api/admin/applications';

const TEXTS = { type: 'array', items: { type: 'string' } } as const satisfies JsonSchema;
const APPLICATION = {
  type: 'object',
  additionalProperties: false,
  required: ['application', 'endpoints', 'problems'],
  properties: {
    application: { type: 'string' },
    endpoints: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['method', 'path', 'visibility', 'scopes', 'function'],
        properties: {
          method: { type: 'string' },
          path: { type: 'string' },
          visibility: { type: 'string', enum: ['public', 'private'] },
          scopes: TEXTS,
          function: { type: 'string', description: 'The function that answers, as package.function.' },
        },
      },
    },
    problems: {
      type: 'array',
      description: 'What keeps endpoints from being answered now.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['message', 'path'],
        properties: { message: { type: 'string' }, path: { type: 'string', description: 'A JSON pointer into the definition.' } },
      },
    },
  },
} as const satisfies JsonSchema;
const NULLABLE_TEXT = { type: ['string', 'null'] } as const satisfies JsonSchema;
const DETAILS = {
  ...APPLICATION,
  required: [...APPLICATION.required, 'title', 'description', 'scopes'],
  properties: {
    ...APPLICATION.properties,
    title: NULLABLE_TEXT,
    description: NULLABLE_TEXT,
    scopes: {
      type: 'array',
      description: 'The scopes that the definition declares.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'description'],
        properties: { name: { type: 'string' }, description: NULLABLE_TEXT },
      },
    },
  },
} as const satisfies JsonSchema;
const ONE = { description: 'The application.', content: { 'application/json': APPLICATION } } as const;

/** Dependencies of the application routes. */
export interface ApplicationRouteOptions {
  readonly applications: ApplicationAdministration;
  readonly bodyLimitBytes: number;
}

/** The administration of applications. */
export function applicationRoutes(options: ApplicationRouteOptions): readonly Route<Principal>[] {
  return [schemaRoute(), ...definitionRoutes(options), ...viewRoutes(options)];
}

function schemaRoute(): Route<Principal> {
  return defineRoute({
    method: 'get',
    path: '/svc/1/api/admin/application-schema.json',
    tag: 'applications',
    summary: 'The JSON Schema of a definition, for editors.',
    auth: 'none',
    responses: { 200: { description: 'JSON Schema 2020-12', content: { 'application/json': { type: 'object' } } } },
    handler: async () => ({ status: 200, json: APPLICATION_SCHEMA }),
  });
}

function definitionRoutes({ applications, bodyLimitBytes }: ApplicationRouteOptions): readonly Route<Principal>[] {
  return [
    defineRoute({
      method: 'put',
      path: `${APPLICATIONS}/:name`,
      tag: 'applications',
      summary: 'Stores the definition of an application, in place of the one before.',
      request: { body: { kind: 'stream', description: 'A definition, YAML 1.2 or JSON.', mediaTypes: DEFINITION_MEDIA_TYPES } },
      responses: { 200: ONE },
      errors: ['application_invalid', 'application_already_exists', 'application_of_file'],
      handler: async ({ params, body, caller, req }) => {
        if ((req.headers['content-encoding'] ?? 'identity') !== 'identity')
          throw new ServiceError('unsupported_media_type', 'The request body must not be compressed: send it without Content-Encoding.');
        const text = await readText(body, bodyLimitBytes);
        const { namespace, subject: actor } = caller;
        return { status: 200, json: await applications.put({ name: params.name, text, mediaType: body.mediaType, namespace, actor }) };
      },
    }),
    defineRoute({
      method: 'get',
      path: `${APPLICATIONS}/:name/definition`,
      tag: 'applications',
      summary: 'Shows a definition as it was sent.',
      responses: {
        200: {
          description: 'The definition.',
          content: { 'application/yaml': { type: 'string' }, 'application/json': { type: 'object' } },
        },
      },
      errors: ['application_not_found'],
      handler: async ({ params, caller }) => {
        const { definition, mediaType } = await applications.definition(caller, params.name);
        return { status: 200, text: definition, headers: { 'Content-Type': `${mediaType}; charset=utf-8` } };
      },
    }),
  ];
}

function viewRoutes({ applications }: ApplicationRouteOptions): readonly Route<Principal>[] {
  return [
    defineRoute({
      method: 'get',
      path: APPLICATIONS,
      tag: 'applications',
      summary: 'Lists the applications of the namespace with their endpoints, and what is wrong with them now.',
      responses: { 200: { description: 'The applications.', content: { 'application/json': { type: 'array', items: DETAILS } } } },
      handler: async ({ caller }) => ({ status: 200, json: await applications.list(caller) }),
    }),
    defineRoute({
      method: 'get',
      path: `${APPLICATIONS}/:name`,
      tag: 'applications',
      summary: 'Shows an application with its endpoints, and what is wrong with it now.',
      responses: { 200: { description: 'The application.', content: { 'application/json': DETAILS } } },
      errors: ['application_not_found'],
      handler: async ({ params, caller }) => ({ status: 200, json: await applications.get(caller, params.name) }),
    }),
    defineRoute({
      method: 'delete',
      path: `${APPLICATIONS}/:name`,
      tag: 'applications',
      summary: 'Deletes an application. Keys keep its scopes, which open nothing then.',
      responses: { 204: { description: 'It is gone.' } },
      errors: ['application_not_found', 'application_of_file'],
      handler: async ({ params, caller }) => {
        await applications.delete(caller, params.name);
        return { status: 204 };
      },
    }),
  ];
}

async function readText({ bytes }: RequestStream, limitBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    length += piece.byteLength;
    if (length > limitBytes) throw new ServiceError('payload_too_large', `${limitBytes} bytes`);
    pieces.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch (cause) {
    throw new ServiceError('bad_request', 'The body is not UTF-8 text.', { cause });
  }
}
