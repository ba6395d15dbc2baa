import type { Request, Response } from 'express';

import { requestIdOf } from '../logging/request-log.ts';
import { readTextParameters } from '../routes/text-parameters.ts';
import { compileValidator, type RequestValidator } from '../routes/request-validator.ts';
import type { ParameterSchemas, Reply, Route } from '../routes/route.ts';
import { compileAcceptCheck } from './negotiation.ts';
import { checkBodyType, decodeText, parseJson, readBody } from './request-body.ts';
import { openRequestStream } from './request-stream.ts';
import { readSearchParams } from './request-path.ts';

/** Handles one request of a route for an authenticated caller. */
export type RouteHandler<Caller> = (req: Request, res: Response, caller: Caller) => Promise<void>;

/**
 * Compiles a route to a handler. The order of its checks is guaranteed: Accept (406), type of the body (415), its length
 * (413), query parameters and option headers, then the body's schema, then the handler.
 */
export function compileRoute<Caller>(route: Route<Caller>, bodyLimitBytes: number): RouteHandler<Caller> {
  const checkAccept = compileAcceptCheck(route);
  const validator = compileValidator(route);
  const { body: bodySpec } = route.request;
  return async (req, res, caller) => {
    checkAccept(req);
    const stream = bodySpec?.kind === 'stream' ? openRequestStream(req, res, bodySpec.mediaTypes) : undefined;
    if (bodySpec !== undefined && bodySpec.kind !== 'stream') checkBodyType(req, bodySpec.kind);
    const bytes = bodySpec === undefined || bodySpec.kind === 'stream' ? undefined : await readBody(req, res, bodyLimitBytes);
    const searchParams = readSearchParams(req.url);
    const { query, headers } = readParameters(req, route, searchParams);
    validator.checkParameters({ query, headers });
    const input = Object.assign(new ClientSignal(res), {
      params: req.params,
      query,
      headers,
      body: stream ?? (bytes && readContent(bytes, bodySpec, validator)),
      searchParams,
      caller,
      requestId: requestIdOf(req),
      log: req.log,
      req,
      res,
    });
    // The schemas of this route have admitted each part, so the parts have the types that its handler was written for.
    const reply = await route.handler(input as never);
    if (reply !== undefined) sendReply(res, reply);
  };
}

const NO_PARAMETERS: ParameterSchemas = { properties: {} };

function readParameters(req: Request, route: Route<never>, searchParams: URLSearchParams) {
  return {
    query: readTextParameters(route.request.query ?? NO_PARAMETERS, (name) => searchParams.get(name) ?? undefined, { ignoresCase: false }),
    // Node joins the values of a repeated header with a comma, which no option admits.
    headers: readTextParameters(route.request.headers ?? NO_PARAMETERS, (name) => req.headers[name.toLowerCase()]?.toString(), {
      ignoresCase: true,
    }),
  };
}

function readContent(bytes: Buffer, spec: Route<never>['request']['body'], validator: RequestValidator): unknown {
  if (spec?.kind === 'text') return decodeText(bytes);
  const value = parseJson(bytes, { keepsDigits: spec?.kind === 'json' && spec.keepsDigits === true });
  validator.checkBody(value);
  return value;
}

/**
 * Creates the signal of a request on first use: most handlers need none. The accessor is on the class, because an object
 * with an own accessor is retained, with its whole closure, until a full garbage collection.
 */
class ClientSignal {
  readonly #res: Response;
  #signal: AbortSignal | undefined;

  constructor(res: Response) {
    this.#res = res;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= abortedWithClient(this.#res));
  }
}

const CLIENT_GONE = new Error('The client went away.');

function abortedWithClient(res: Response): AbortSignal {
  const controller = new AbortController();
  if (res.destroyed) controller.abort(CLIENT_GONE);
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(CLIENT_GONE);
  });
  return controller.signal;
}

function sendReply(res: Response, reply: Reply): void {
  const body = reply.json === undefined ? (reply.text ?? reply.bytes) : JSON.stringify(reply.json);
  const type = reply.json === undefined ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  // A 204 has no Content-Length, and that of a 304 would be the length of the full response; any other empty response
  // declares length 0.
  const length = reply.status === 204 || reply.status === 304 ? {} : { 'Content-Length': Buffer.byteLength(body ?? '') };
  const { Vary: varied, ...headers } = reply.headers ?? {};
  // Added to that of the rules for browsers: a cache must not give one origin the response to another.
  if (varied !== undefined) res.vary(varied);
  res.writeHead(reply.status, { ...length, ...(body !== undefined && { 'Content-Type': type }), ...headers });
  // A text and not its bytes: Node then sends head and body in one write.
  res.end(body);
}
