/** The versions of OpenAPI that a document can be had in. */
export const OPENAPI_VERSIONS = ['3.0.3', '3.1.0'] as const;
/** A version as a document says it. */
export type OpenApiVersion = (typeof OPENAPI_VERSIONS)[number];

/** A part of a document: plain JSON. Tests check documents against OpenAPI's own schemas. */
export type Json = Readonly<Record<string, unknown>>;

/** A schema that admits null beside what it admits already: each version has its own way to say so. */
export function orNull(schema: Json, version: OpenApiVersion): Json {
  if (version === '3.0.3') return { ...schema, nullable: true };
  return Array.isArray(schema['type']) ? schema : { ...schema, type: [schema['type'], 'null'] };
}
