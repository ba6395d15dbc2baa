/** Supported versions of OpenAPI. */
export const OPENAPI_VERSIONS = ['3.0.3', '3.1.0'] as const;
/** Version of an OpenAPI document. */
export type OpenApiVersion = (typeof OPENAPI_VERSIONS)[number];

/** A part of a document: plain JSON. Tests check documents against OpenAPI's own schemas. */
export type Json = Readonly<Record<string, unknown>>;

/** Returns a schema that also accepts null, in the form of the version. */
export function orNull(schema: Json, version: OpenApiVersion): Json {
  if (version === '3.0.3') return { ...schema, nullable: true };
  return Array.isArray(schema['type']) ? schema : { ...schema, type: [schema['type'], 'null'] };
}
