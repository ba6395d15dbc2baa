import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

import type { ErrorCode } from '@svc/errors';

import type { Logger } from '../logging/logger.ts';

/** A JSON schema (2020-12) as data; it validates, gives the TypeScript type, and documents. */
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

/** A body of `application/json`. Every object in the schema with `properties` must say `additionalProperties: false`. */
export interface JsonBody<Schema extends JsonSchema = JsonSchema> {
  readonly kind: 'json';
  readonly schema: Schema;
  /**
   * Numbers that a double would change stay as they were written, as `JSON.stringify` then writes them. The schema says
   * nothing of them.
   */
  readonly keepsDigits?: boolean;
}

/**
 * A body of any length that the handler reads as it comes: decompressed, and with a limit on how long nothing may come. The handler says
 * what is too much.
 */
export interface StreamBody {
  readonly kind: 'stream';
  readonly description: string;
  /** What is taken; a missing Content-Type is taken for the first. */
  readonly mediaTypes: readonly [string, ...string[]];
}

/** What a handler gets of a stream body. */
export interface RequestStream {
  /** One of the route's media types. */
  readonly mediaType: string;
  /** Can be read once. Leaving it early lets the rest of the body flow into nothing, so that the client reads the answer. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** One kind of answer that is no error. Without content the body is empty. */
export interface ResponseSpec {
  readonly description: string;
  readonly content?: Readonly<Record<string, JsonSchema>>;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
}

/** HTTP methods that a route can have; HEAD comes with GET. */
export type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';

/** What a handler answers, when it does not send the answer on `res` itself. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `application/json`; undefined sends no body. */
  readonly json?: unknown;
  /** Sent as `text/plain; charset=utf-8`. */
  readonly text?: string;
  /** Sent as they are; `headers` name their type. */
  readonly bytes?: Uint8Array;
}

/** What a handler gets: everything has been checked. */
export interface RouteInput<Params, Query, Headers, Body, Caller> {
  readonly params: Params;
  readonly query: Query;
  readonly headers: Headers;
  readonly body: Body;
  /** All parameters of the URL's query, each once, the undeclared ones too. */
  readonly searchParams: URLSearchParams;
  readonly caller: Caller;
  readonly requestId: string;
  readonly log: Logger;
  /** Aborted when the client goes away before the answer is complete. */
  readonly signal: AbortSignal;
  readonly req: IncomingMessage;
  /** For answers that stream. A handler that sends the answer itself returns undefined. */
  readonly res: ServerResponse;
}

/** An endpoint as data, with the types of its handler forgotten: what the application is built from. */
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
    /** By name as documented; values of an enum and booleans are read without regard to case. */
    readonly headers?: ParameterSchemas;
    readonly body?: TextBody | JsonBody | StreamBody;
  };
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** Codes of this endpoint beside those that any endpoint can answer. */
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

/** The TypeScript type of what a schema admits, read-only throughout. */
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
  /** `required` unless said otherwise. */
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
 * The function with which a service whose callers are of type `Caller` defines its routes:
 * `const defineRoute = routeDefiner<Principal>();`. The handler's types come from the path and the schemas.
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
    // The application calls the handler only with what the schemas of this very route have admitted.
    return { ...definition, auth, head, request, errors } as unknown as Route<Caller>;
  };
}
