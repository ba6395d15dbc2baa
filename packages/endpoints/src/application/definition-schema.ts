import type { FromSchema } from 'json-schema-to-ts';

const TEXT = { type: 'string', maxLength: 10_000 } as const;
const NAME = { type: 'string', minLength: 1, maxLength: 128 } as const;
/** A description of a pattern completes "must be". */
const SCOPE = {
  type: 'string',
  pattern: '^[A-Za-z0-9:._-]{1,128}$',
  description: '1 to 128 letters, digits, ":", ".", "_" and "-"',
} as const;

/** The form of an application's definition, as JSON Schema 2020-12. */
export const APPLICATION_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Application',
  description: 'The REST endpoints that an application serves, and the scopes that protect them.',
  type: 'object',
  additionalProperties: false,
  required: ['application'],
  properties: {
    application: {
      type: 'string',
      pattern: '^[a-z][a-z0-9-]{0,63}$',
      not: { enum: ['svc', 'console', 'openapi'] },
      description: 'a lower-case letter, then lower-case letters, digits and "-", at most 64: the first part of every path',
    },
    title: TEXT,
    description: TEXT,
    scopes: {
      type: 'array',
      maxItems: 500,
      description: 'The scopes that endpoints can need and keys can have.',
      items: { type: 'object', additionalProperties: false, required: ['name'], properties: { name: SCOPE, description: TEXT } },
    },
    packages: {
      type: 'array',
      maxItems: 100,
      uniqueItems: true,
      description: 'Packages whose annotated functions are endpoints, with their own paths, scopes and visibility.',
      items: NAME,
    },
    endpoints: {
      type: 'array',
      maxItems: 1000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['path', 'method', 'function'],
        properties: {
          path: {
            type: 'string',
            maxLength: 1000,
            pattern: "^(/([\\w\\-.~!$&'()*+,;=:@]|\\{\\w+\\})*)+$",
            description: "/ and letters, digits, -._~!$&'()*+,;=:@ and {name}, which stands for a parameter of the function",
          },
          method: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'get', 'post', 'put', 'patch', 'delete'] },
          function: { type: 'string', pattern: '^[^.]+\\.[^.]+$', description: 'a public function, as package.function' },
          visibility: { type: 'string', enum: ['public', 'private'], description: 'private, if it is left out.' },
          scopes: { type: 'array', maxItems: 100, uniqueItems: true, items: SCOPE },
          summary: TEXT,
          description: TEXT,
          format: {
            type: 'string',
            enum: ['json', 'hjson', 'csv', 'sqlite', 'parquet-avro', 'parquet-raw'],
            description: 'The format of every answer. If it is left out, Accept decides, and JSON is answered where it does not.',
          },
          parameters: {
            type: 'object',
            description: 'Descriptions of parameters, by name.',
            additionalProperties: { type: 'object', additionalProperties: false, properties: { description: TEXT } },
          },
        },
      },
    },
  },
} as const;

/** A definition that has the form of the schema. */
export type ApplicationDefinition = FromSchema<typeof APPLICATION_SCHEMA>;

/** A stored definition: its lists are present, possibly empty. */
export interface ApplicationContent extends Omit<ApplicationDefinition, 'scopes' | 'packages' | 'endpoints'> {
  readonly scopes: NonNullable<ApplicationDefinition['scopes']>;
  readonly packages: NonNullable<ApplicationDefinition['packages']>;
  readonly endpoints: NonNullable<ApplicationDefinition['endpoints']>;
}

/** A fault of a definition; `path` is a JSON pointer into it. */
export interface DefinitionProblem {
  readonly message: string;
  readonly path: string;
}
