import type { Endpoint, PackageFunction, PackageParameter, Type } from '@svc/query-language';

import { defaultOf } from './default-value.ts';
import { errorAnswers } from './error-answers.ts';
import type { Json, OpenApiVersion } from './openapi-version.ts';
import { typeSchema, type SchemaUse } from './type-schema.ts';

/** An endpoint with the function that answers it. */
export interface EndpointOfFunction {
  readonly endpoint: Endpoint;
  readonly described: Omit<PackageFunction, 'endpoints'>;
  /** Descriptions of parameters, by name. */
  readonly descriptions?: ReadonlyMap<string, string>;
  /** Groups operations. */
  readonly tag?: string;
}

/** The operation id, and the names of the path parameters in the document. */
export interface OperationNames {
  readonly operationId: string;
  readonly pathNames: ReadonlyMap<string, string>;
  readonly version: OpenApiVersion;
}

/** Describes an operation of a document. */
export function describeOperation({ endpoint, described, descriptions, tag }: EndpointOfFunction, names: OperationNames): Json {
  const { summary, description, bodyParameter, format } = endpoint;
  const parameters = described.parameters
    .filter(({ name }) => name !== bodyParameter)
    .map((one) => withDescription(describeParameter(one, endpoint, names), descriptions?.get(one.name)));
  const body = described.parameters.find(({ name }) => name === bodyParameter);
  return {
    operationId: names.operationId,
    summary: summary ?? described.name,
    ...(description !== null && { description }),
    ...(tag !== undefined && { tags: [tag] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: withDescription(describeBody(body, names), descriptions?.get(body.name)) }),
    responses: {
      200: { description: 'The result.', content: describeResult(described.result, format, names.version) },
      ...errorAnswers({ hasBody: body !== undefined }),
    },
    security: describeSecurity(endpoint, names.version),
    ...(endpoint.scopes.length > 0 && { 'x-svc-scopes': endpoint.scopes }),
  };
}

function withDescription(part: Json, description: string | undefined): Json {
  return description === undefined ? part : { ...part, description };
}

function describeParameter(parameter: PackageParameter, { pathParameters }: Endpoint, { pathNames, version }: OperationNames): Json {
  const isInPath = pathParameters.includes(parameter.name);
  const schema = withDefault(parameter, { version, of: 'argument' });
  const isSimple = parameter.type.kind === 'PrimitiveType';
  return {
    name: isInPath ? (pathNames.get(parameter.name) ?? parameter.name) : parameter.name,
    in: isInPath ? 'path' : 'query',
    required: isInPath || !parameter.isOptional,
    // Records and collections are JSON in a URL.
    ...(isSimple ? { schema } : { content: { 'application/json': { schema } } }),
  };
}

function describeBody(parameter: PackageParameter, { version }: OperationNames): Json {
  return { required: !parameter.isOptional, content: { 'application/json': { schema: withDefault(parameter, { version, of: 'body' }) } } };
}

function withDefault(parameter: PackageParameter, use: SchemaUse): Json {
  const schema = typeSchema(parameter.type, use);
  const value = defaultOf(parameter);
  if (value !== undefined) return { ...schema, default: value };
  return parameter.isOptional ? { ...schema, description: 'Without it, the function has a value of its own.' } : schema;
}

const MEDIA_TYPES = {
  json: 'application/json',
  hjson: 'application/x-ndjson',
  csv: 'text/csv',
  sqlite: 'application/vnd.sqlite3',
  'parquet-avro': 'application/vnd.apache.parquet',
  'parquet-raw': 'application/vnd.apache.parquet',
} as const;

/**
 * Describes the result: in the endpoint's own format, or by default JSON and the other formats that can hold the result, as
 * `Accept` selects.
 */
function describeResult(type: Type, format: string | null, version: OpenApiVersion): Json {
  const names = Object.keys(MEDIA_TYPES) as readonly (keyof typeof MEDIA_TYPES)[];
  const offered = names.filter((name) => (format === null ? name !== 'parquet-avro' && canHold(name, type) : name === format));
  return Object.fromEntries(offered.map((name) => [MEDIA_TYPES[name], { schema: resultSchema(name, type, version) }]));
}

function resultSchema(format: keyof typeof MEDIA_TYPES, type: Type, version: OpenApiVersion): Json {
  if (format === 'json') return typeSchema(type, { version, of: 'answer' });
  if (format === 'hjson') return { type: 'string', description: 'One JSON value per line.' };
  if (format === 'csv') return { type: 'string' };
  return version === '3.0.3' ? { type: 'string', format: 'binary' } : {};
}

/** Rows of simple values fit in every format, nested ones not in CSV and SQLite. */
function canHold(format: keyof typeof MEDIA_TYPES, type: Type): boolean {
  if (format !== 'csv' && format !== 'sqlite') return true;
  const row = type.kind === 'CollectionType' ? type.element : type;
  const fields = row.kind === 'RecordType' ? row.fields.map((field) => field.type) : [row];
  return fields.every(({ kind }) => kind === 'PrimitiveType');
}

/**
 * Describes the security requirement. Public endpoints without scopes need no key. OpenAPI 3.0 can name scopes of OAuth
 * alone, so `x-svc-scopes` lists them too.
 */
function describeSecurity({ visibility, scopes }: Endpoint, version: OpenApiVersion): readonly Json[] {
  const withKey = { apiKey: version === '3.0.3' ? [] : scopes };
  return visibility === 'public' && scopes.length === 0 ? [{}, withKey] : [withKey];
}
