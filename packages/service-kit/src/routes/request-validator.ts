import { Ajv2020, type SchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';

import { ServiceError } from '@svc/errors';

import type { JsonSchema, ParameterSchemas, Route } from './route.ts';
import { describeProblems, nameField, type Place } from './validation-messages.ts';

/** Values of a request by place, parsed but not validated. */
interface RequestValues {
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
}

/** Checks a request's parts by the schemas of one route. Throws a `bad_request` that names every fault. */
export interface RequestValidator {
  readonly checkParameters: (values: RequestValues) => void;
  readonly checkBody: (body: unknown) => void;
}

/**
 * Compiles the schemas of a route, once at start. Throws if a schema is invalid, or if an object of a body accepts unknown
 * fields: a misspelt field must not be dropped silently.
 */
export function compileValidator(route: Pick<Route<never>, 'method' | 'path' | 'request'>): RequestValidator {
  const { query, headers, body } = route.request;
  const checkQuery = query && compileParameters(query);
  const checkHeaders = headers && compileParameters(headers);
  const checkJson = body?.kind === 'json' ? compileBody(body.schema, `${route.method} ${route.path}`) : undefined;
  return {
    checkParameters: (values) => {
      refuse([...collect(checkQuery, values.query, 'query'), ...collect(checkHeaders, values.headers, 'header')]);
    },
    checkBody: (value) => {
      if (body?.kind === 'json') refuse(longArrays(body.schema, value, ''));
      refuse(collect(checkJson, value, 'body'));
    },
  };
}

// Validation never changes values (no defaults), and reports all faults at once.
const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, verbose: true, useDefaults: false, discriminator: true });

function compileParameters(schemas: ParameterSchemas): ValidateFunction {
  return ajv.compile({ type: 'object', properties: schemas.properties, required: schemas.required ?? [] });
}

function compileBody(schema: JsonSchema, routeName: string): ValidateFunction {
  requireClosedObjects(schema, routeName);
  // The two packages' types of a schema differ in how they spell optional members only.
  return ajv.compile(schema as SchemaObject);
}

function requireClosedObjects(schema: unknown, where: string): void {
  if (typeof schema !== 'object' || schema === null) return;
  if ('properties' in schema && !('additionalProperties' in schema)) {
    throw new Error(`The body of ${where} has an object that does not say additionalProperties.`);
  }
  for (const [key, part] of Object.entries(schema)) {
    if (key !== 'properties') requireClosedObjects(part, where);
    else for (const [name, property] of Object.entries(part as object)) requireClosedObjects(property, `${where}, ${name}`);
  }
}

function collect(check: ValidateFunction | undefined, value: unknown, place: Place): readonly string[] {
  return check === undefined || check(value) ? [] : describeProblems(check.errors ?? [], place);
}

/** Finds arrays longer than their schema allows before their items are validated: one fault per item would block the event loop. */
function longArrays(schema: JsonSchema, value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) {
    const { maxItems, items } = schema;
    if (maxItems !== undefined && value.length > maxItems) return [`${nameField(path, 'body')} must have at most ${maxItems} items.`];
    return isSchema(items) ? value.flatMap((item, i) => longArrays(items, item, `${path}/${i}`)) : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    isSchema(property) && Object.hasOwn(value, name)
      ? longArrays(property, (value as Record<string, unknown>)[name], `${path}/${name}`)
      : [],
  );
}

function isSchema(schema: unknown): schema is JsonSchema {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}

function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const distinct = [...new Set(problems)];
  const rest = distinct.length > MOST_SHOWN ? ` And ${distinct.length - MOST_SHOWN} more.` : '';
  throw new ServiceError('bad_request', distinct.slice(0, MOST_SHOWN).join(' ') + rest);
}

/** Bounds the length of a response about an array with a million invalid entries. */
const MOST_SHOWN = 100;
