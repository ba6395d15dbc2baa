import { ERROR_CATALOG, type ErrorCode } from '@svc/errors';

import { orNull, type Json, type OpenApiVersion } from './openapi-version.ts';

interface ErrorAnswerSpec {
  readonly codes: readonly [ErrorCode, ...ErrorCode[]];
  readonly description: string;
  readonly headers?: Json;
}

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds after which it may be tried again.', schema: { type: 'integer' } } };

/** Error responses of an endpoint, by the name of the component. The statuses are those of the codes. */
const ERROR_ANSWERS = {
  BadRequest: { codes: ['bad_request', 'result_too_large'], description: 'A parameter cannot be used, or the function failed.' },
  Unauthorized: { codes: ['unauthorized'], description: 'No API key that is valid came with the request.' },
  Forbidden: { codes: ['forbidden'], description: 'The API key is not bound to the scopes of the endpoint.' },
  NotFound: { codes: ['not_found'], description: 'There is no such endpoint.' },
  MethodNotAllowed: { codes: ['method_not_allowed'], description: 'The path has no endpoint of this method.' },
  NotAcceptable: { codes: ['not_acceptable'], description: 'Accept excludes every type that the answer could have.' },
  PayloadTooLarge: { codes: ['payload_too_large'], description: 'The body is too long.' },
  UnsupportedMediaType: { codes: ['unsupported_media_type'], description: 'The body is not JSON.' },
  TooManyRequests: { codes: ['too_many_requests'], description: 'Too many requests came in too short a time.', headers: RETRY_AFTER },
  InternalError: { codes: ['internal_error'], description: 'Something went wrong inside the service.' },
  Unavailable: { codes: ['service_unavailable'], description: 'The service has too much to do, or is stopping.', headers: RETRY_AFTER },
  Timeout: { codes: ['query_timeout'], description: 'The function ran longer than the limit.' },
} as const satisfies Record<string, ErrorAnswerSpec>;

const WITH_BODY: ReadonlySet<string> = new Set(['PayloadTooLarge', 'UnsupportedMediaType']);

/** The error answers of one endpoint, as references. */
export function errorAnswers({ hasBody }: { readonly hasBody: boolean }): Json {
  const names = Object.keys(ERROR_ANSWERS).filter((name) => hasBody || !WITH_BODY.has(name));
  return Object.fromEntries(
    names.map((name) => [statusOf(name as keyof typeof ERROR_ANSWERS), { $ref: `#/components/responses/${name}` }]),
  );
}

function statusOf(name: keyof typeof ERROR_ANSWERS): string {
  return String(ERROR_CATALOG[ERROR_ANSWERS[name].codes[0]].status);
}

/** The components that those references mean. */
export function errorComponents(version: OpenApiVersion): { readonly responses: Json; readonly schemas: Json } {
  const answers: Readonly<Record<string, ErrorAnswerSpec>> = ERROR_ANSWERS;
  const responses = Object.entries(answers).map(([name, { codes, description, headers }]) => {
    const error = {
      allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object', properties: { code: { type: 'string', enum: codes } } }],
    };
    const schema = name === 'BadRequest' ? { anyOf: [{ $ref: '#/components/schemas/FunctionFailure' }, error] } : error;
    return [name, { description, ...(headers && { headers }), content: { 'application/json': { schema } } }] as const;
  });
  return { responses: Object.fromEntries(responses), schemas: errorSchemas(version) };
}

function errorSchemas(version: OpenApiVersion): Json {
  const place = { type: 'integer', minimum: 1 };
  const position = { type: 'object', required: ['line', 'column'], properties: { line: place, column: place } };
  const range = {
    type: 'object',
    required: ['begin', 'end'],
    properties: { begin: { $ref: '#/components/schemas/Position' }, end: { $ref: '#/components/schemas/Position' } },
  };
  const queryError = {
    type: 'object',
    required: ['message', 'positions'],
    properties: { message: { type: 'string' }, positions: { type: 'array', items: range } },
  };
  return {
    Error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
    },
    Position: position,
    FunctionFailure: {
      type: 'object',
      description: 'What was wrong with the arguments, or why the function failed.',
      required: ['validationErrors', 'runtimeError'],
      properties: { validationErrors: { type: 'array', items: queryError }, runtimeError: orNull(queryError, version) },
    },
  };
}
