import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

import type { ErrorCode } from '@svc/errors';

import type { Logger } from '../logging/logger.ts';

/** A JSON schema (2020-12) as data: validation, TypeScript type and documentation. */
export type JsonSchema = Exclude<JSONSchema, boolean>;

/** Parameters by name. Schemas of parameters are of type string (with enum or pattern), integer or boolean. */
export interface ParameterSchemas {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** A body of `text/plain`, read as UTF-8. */
export interface TextBody {
  readonly kind: 'text';
  readonly description: string;
}

/** A body of `application/json`. Every object in the schema with `properties` must have `additionalProperties: false`. */
export interface JsonBody<Schema extends JsonSchema = JsonSchema> {
  readonly kind: 'json';
  readonly schema: Schema;
  /** Keeps numbers that a double would change as written; `JSON.stringify` writes them unchanged. Independent of the schema. */
  readonly keepsDigits?: boolean;
}

/** A body of any length, read by the handler as a stream: decompressed, with a limit on inactivity. The handler limits its size. */
export interface StreamBody {
  readonly kind: 'stream';
  readonly description: string;
  /** Accepted media types; a missing Content-Type defaults to the first. */
  readonly mediaTypes: readonly [string, ...string[]];
}

/** A stream body as passed to a handler. */
export interface RequestStream {
  /** Media type of the request, one of the route's. */
  readonly mediaType: string;
  /** Can be read once. If the reader stops early, the rest of the body is discarded, so that the client reads the response. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A response other than an error. Without content the body is empty. */
export interface ResponseSpec {
  readonly description: string;
  readonly content?: Readonly<Record<string, JsonSchema>>;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
}

/** HTTP methods of routes; GET implies HEAD. */
export type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';

/** Result of a handler that does not send the response on `res` itself. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `application/json`; undefined sends no body. */
  readonly json?: unknown;
  /** Sent as `text/plain; charset=utf-8`. */
  readonly text?: string;
  /** Sent unchanged; `headers` name their type. */
  readonly bytes?: Uint8Array;
}

/** Validated input of a handler. */
export interface RouteInput<Params, Query, Headers, Body, Caller> {
  readonly params: Params;
  readonly query: Query;
  readonly headers: Headers;
  readonly body: Body;
  /** All parameters of the URL's query, each once, including undeclared ones. */
  readonly searchParams: URLSearchParams;
  readonly caller: Caller;
  readonly requestId: string;
  readonly log: Logger;
  /** Aborted when the client disconnects before the response is complete. */
  readonly signal: AbortSignal;
  readonly req: IncomingMessage;
  /** For streamed responses. A handler that sends the response itself returns undefined. */
  readonly res: ServerResponse;
}

/** An endpoint as data, without the types of its handler: the input of the application. */
export interface Route<Caller> {
  readonly method: Method;
  /** Exact, with parameters as `:name`. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly auth: 'required' | 'none';
  /** False where GET changes something: then HEAD is not answered. */
  readonly head: boolean;
  readonly request: {
    readonly params?: ParameterSchemas;
    readonly query?: ParameterSchemas;
    /** By documented name; enum values and booleans are parsed without regard to case. */
    readonly headers?: ParameterSchemas;
    readonly body?: TextBody | JsonBody | StreamBody;
  };
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** Codes of this endpoint besides those of every endpoint. */
  readonly errors: readonly (ErrorCode | 'query errors')[];
  readonly handler: (input: RouteInput<never, never, never, never, Caller>) => Promise<Reply | undefined>;
}

type PathParameterNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameterNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type Deep<Value> = Value extends (infer Element)[]
  ? readonly Deep<Element>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Deep<Value[Key]> }
    : Value;

/** The read-only TypeScript type of the values that a schema accepts. */
export type TypeOfSchema<Schema> = Schema extends JsonSchema ? Deep<FromSchema<Schema>> : never;

type RequiredNames<Schemas> = Schemas extends { readonly required: readonly (infer Name)[] } ? Name : never;
type HasDefault<Schema> = Schema extends { readonly default: unknown } ? true : false;

type TypeOfParameters<Schemas> = Schemas extends { readonly properties: infer Properties }
  ? {
      readonly [Name in keyof Properties]: Name extends RequiredNames<Schemas>
        ? TypeOfSchema<Properties[Name]>
        : HasDefault<Properties[Name]> extends true
          ? TypeOfSchema<Properties[Name]>
          : TypeOfSchema<Properties[Name]> | undefined;
    }
  : Readonly<Record<string, never>>;

type TypeOfBody<Body> = Body extends { readonly kind: 'text' }
  ? string
  : Body extends { readonly kind: 'json'; readonly schema: infer Schema }
    ? TypeOfSchema<Schema>
    : Body extends { readonly kind: 'stream' }
      ? RequestStream
      : undefined;

/** An endpoint as a service writes it. */
export interface RouteDefinition<Path extends string, Query, Headers, Body, Auth extends 'required' | 'none', Caller> {
  readonly method: Method;
  readonly path: Path;
  readonly summary: string;
  readonly tag: string;
  /** Defaults to `required`. */
  readonly auth?: Auth;
  readonly head?: boolean;
  readonly request?: {
    readonly params?: ParameterSchemas;
    readonly query?: Query & ParameterSchemas;
    readonly headers?: Headers & ParameterSchemas;
    readonly body?: Body;
  };
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  readonly errors?: readonly (ErrorCode | 'query errors')[];
  readonly handler: (
    input: RouteInput<
      { readonly [Name in PathParameterNames<Path>]: string },
      TypeOfParameters<Query>,
      TypeOfParameters<Headers>,
      TypeOfBody<Body>,
      Auth extends 'none' ? undefined : Caller
    >,
  ) => Promise<Reply | undefined>;
}

/**
 * Returns the function with which a service whose callers are of type `Caller` defines its routes: `const defineRoute =
 * routeDefiner<Principal>();`. The handler's types follow from the path and the schemas.
 */
export function routeDefiner<Caller>() {
  return function defineRoute<
    const Path extends string,
    const Query = undefined,
    const Headers = undefined,
    const Body extends TextBody | JsonBody | StreamBody | undefined = undefined,
    const Auth extends 'required' | 'none' = 'required',
  >(definition: RouteDefinition<Path, Query, Headers, Body, Auth, Caller>): Route<Caller> {
    const { auth = 'required', head = true, request = {}, errors = [] } = definition;
    // Safe: the application calls the handler only with values validated by the schemas of this route.
    return { ...definition, auth, head, request, errors } as unknown as Route<Caller>;
  };
}
