import { ERROR_CATALOG, type ErrorCode } from '@svc/errors';

import type { JsonSchema, ParameterSchemas, ResponseSpec, Route } from './route.ts';

/** Description of a service in its OpenAPI document. */
export interface ServiceDescription {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** Any JSON object. A test validates the document against the schema of OpenAPI. */
type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of a service, from the same routes that answer. */
export function describeService(description: ServiceDescription, routes: readonly Route<never>[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: describeRoute(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: description.title, version: description.version, description: description.description },
    paths,
    components: { schemas: COMPONENT_SCHEMAS, securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
  };
}

function describeRoute(route: Route<never>): Json {
  const { params, query, headers, body } = route.request;
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => String(match[1]));
  const pathParameters: ParameterSchemas = {
    properties: Object.fromEntries(names.map((name) => [name, params?.properties[name] ?? { type: 'string' }])),
    required: names,
  };
  const parameters = [
    ...describeParameters(pathParameters, 'path'),
    ...describeParameters(query, 'query'),
    ...describeParameters(headers, 'header'),
  ];
  return {
    operationId: nameOperation(route),
    summary: route.summary,
    tags: [route.tag],
    ...(parameters.length > 0 && { parameters }),
    ...(body?.kind === 'text' && {
      requestBody: { required: true, description: body.description, content: { 'text/plain': { schema: { type: 'string' } } } },
    }),
    ...(body?.kind === 'json' && { requestBody: { required: true, content: { 'application/json': { schema: body.schema } } } }),
    ...(body?.kind === 'stream' && {
      requestBody: {
        required: true,
        description: body.description,
        content: Object.fromEntries(body.mediaTypes.map((type) => [type, { schema: { type: 'string' } }])),
      },
    }),
    responses: { ...describeResponses(route), ...describeErrors(route) },
    security: route.auth === 'none' ? [] : [{ token: [] }],
  };
}

function nameOperation({ method, path }: Route<never>): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function describeParameters(schemas: ParameterSchemas | undefined, place: 'path' | 'query' | 'header'): Json[] {
  return Object.entries(schemas?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = schema;
    const required = schemas?.required?.includes(name) ?? false;
    return { name, in: place, required, ...(description !== undefined && { description }), schema: rest };
  });
}

function describeResponses(route: Route<never>): Json {
  return Object.fromEntries(Object.entries(route.responses).map(([status, response]) => [status, describeResponse(response)]));
}

function describeResponse({ description, content, headers }: ResponseSpec): Json {
  return { description, ...(headers && { headers }), ...(content && { content: describeContent(content) }) };
}

function describeContent(content: Readonly<Record<string, JsonSchema>>): Json {
  return Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }]));
}

const COMPONENT_SCHEMAS = {
  Error: {
    type: 'object',
    required: ['code', 'message'],
    properties: { code: { type: 'string' }, message: { type: 'string' } },
  },
  Position: {
    type: 'object',
    required: ['line', 'column'],
    properties: { line: { type: 'integer', minimum: 1 }, column: { type: 'integer', minimum: 1 } },
  },
  QueryError: {
    type: 'object',
    required: ['message', 'positions'],
    properties: {
      message: { type: 'string' },
      positions: {
        type: 'array',
        items: {
          type: 'object',
          required: ['begin', 'end'],
          properties: { begin: { $ref: '#/components/schemas/Position' }, end: { $ref: '#/components/schemas/Position' } },
        },
      },
    },
  },
  QueryFailure: {
    type: 'object',
    required: ['validationErrors', 'runtimeError'],
    properties: {
      validationErrors: { type: 'array', items: { $ref: '#/components/schemas/QueryError' } },
      runtimeError: { oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/QueryError' }] },
    },
  },
} as const;

/** Lists the error codes that follow from a route's properties, and its own. */
function listCodes({ auth, request, responses, errors }: Route<never>): readonly (ErrorCode | 'query errors')[] {
  const hasContent = Object.values(responses).some((response) => response.content !== undefined);
  const general: readonly ErrorCode[] = [
    'bad_request',
    ...(auth === 'none' ? [] : (['unauthorized', 'forbidden', 'service_unavailable'] as const)),
    ...(hasContent ? (['not_acceptable'] as const) : []),
    ...(request.body === undefined ? [] : (['request_timeout', 'payload_too_large', 'unsupported_media_type'] as const)),
    'internal_error',
  ];
  return [...new Set([...general, ...errors])];
}

function describeErrors(route: Route<never>): Json {
  const byStatus = Map.groupBy(listCodes(route), (code) => (code === 'query errors' ? 400 : ERROR_CATALOG[code].status));
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, describeErrorAnswer(codes)]));
}

function describeErrorAnswer(codes: readonly (ErrorCode | 'query errors')[]): Json {
  const named = codes.filter((code) => code !== 'query errors');
  const error = {
    allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: named } } }],
  };
  const failure = { $ref: '#/components/schemas/QueryFailure' };
  const schema = codes.includes('query errors') ? { oneOf: [error, failure] } : error;
  return {
    description: codes.join(', '),
    content: { 'application/json': { schema }, 'application/problem+json': { schema } },
  };
}
