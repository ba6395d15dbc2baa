import type { ServerResponse, IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';

import type { Principal } from '@svc/auth';
import { failedQuery } from '@svc/errors';
import { isTextFormat, type ResultFormatName } from '@svc/query-engine';
import type { FollowedQuery, QueryRuntime, QueryTimings, RunningQueries } from '@svc/query-runtime';
import type { ParameterSchemas, ResponseSpec } from '@svc/service-kit';

import { chooseEncoding } from './content-encoding.ts';
import { ANSWERED_FORMATS, chooseFormat } from './result-format-choice.ts';
import { sendResult } from './send-result.ts';

/** Headers that set the format of a result. */
export const RESULT_OPTIONS = {
  properties: {
    'X-SVC-output-format': {
      type: 'string',
      enum: ANSWERED_FORMATS,
      description: 'Format of the result; hjson is one JSON value per line, sqlite and the two parquets are files.',
    },
    'X-SVC-windows-line-ending': { type: 'boolean', default: false, description: 'Lines of hjson and csv end with \\n\\r.' },
    'X-SVC-max-bytes': {
      type: 'integer',
      minimum: 1,
      description: 'At most so many bytes of body; text ends after the last whole value that fits.',
    },
  },
} as const satisfies ParameterSchemas;

/** The answer that a result is. */
export const RESULT_RESPONSE: ResponseSpec = {
  description: 'The result.',
  content: {
    'text/plain': { type: 'string' },
    'application/json': {},
    'application/x-ndjson': { type: 'string' },
    'text/csv': { type: 'string' },
    'application/vnd.sqlite3': {},
    'application/vnd.apache.parquet': {},
  },
  headers: {
    'X-SVC-Query-Id': { description: 'Names this run of the query.', schema: { type: 'string' } },
    'Server-Timing': {
      description: 'Milliseconds of wait, check, plan, read and execute; a trailer on chunked answers.',
      schema: { type: 'string' },
    },
    'X-SVC-Truncated': {
      description: 'true where X-SVC-max-bytes cut the result; a trailer on chunked answers.',
      schema: { type: 'string' },
    },
  },
};

/** The runtime, and the running queries. */
export interface QueryAnswering {
  readonly runtime: QueryRuntime;
  readonly queries: RunningQueries;
  /** Called right before a query enters admission. */
  readonly arrive: (req: IncomingMessage) => void;
}

/** A query to run. */
export interface AskedQuery {
  readonly text: string;
  /** Arguments of a query that ends in a function. */
  readonly arguments: ReadonlyMap<string, string>;
  readonly caller: Principal;
  /** Values of `RESULT_OPTIONS`. */
  readonly options: {
    readonly 'X-SVC-output-format': ResultFormatName | undefined;
    readonly 'X-SVC-windows-line-ending': boolean;
    readonly 'X-SVC-max-bytes': number | undefined;
  };
  readonly signal: AbortSignal;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Runs a query and sends its result: the one way in which results are answered. */
export async function answerQuery({ runtime, queries, arrive }: QueryAnswering, asked: AskedQuery): Promise<void> {
  const { text, caller, options, signal, req, res } = asked;
  const { format, contentType } = chooseFormat(options['X-SVC-output-format'], req.headers.accept);
  const followed = queries.begin({ id: res.queryId ?? randomUUID(), subject: caller.subject, text, client: signal });
  await untilEnd(followed, async () => {
    arrive(req);
    const query = await runtime.run({
      caller,
      text,
      arguments: asked.arguments,
      format,
      lineEnding: options['X-SVC-windows-line-ending'] ? 'windows' : 'unix',
      maxBytes: options['X-SVC-max-bytes'],
      signal: followed.signal,
    });
    followed.follow(query.progress);
    await sendResult(res, query, {
      contentType,
      encoding: isTextFormat(format) ? chooseEncoding(req.headers['accept-encoding']) : null,
      serverTiming: () => serverTiming(query.timings),
      signal: followed.signal,
    });
  });
}

/** Makes a cancelled query fail with the reason of its cancellation, whatever it was doing. */
async function untilEnd(followed: FollowedQuery, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    throw followed.isCancelled() ? failedQuery({ message: 'the query was cancelled', positions: [] }) : thrown;
  } finally {
    followed.end();
  }
}

/** URLs of the endpoints that run or check queries; may be absolute, as sent to a proxy. */
const QUERY_URL = /^([a-z]+:\/\/[^/?#]*)?\/(query(-validate)?|packages\/[^/?#]*\/functions\/[^/?#]*)([?#]|$)/;

/** Sets an id on every response of those endpoints, including failures before the route, and on its log line. */
export function setQueryId(req: IncomingMessage, res: ServerResponse, next: () => void): void {
  if (QUERY_URL.test(req.url ?? '')) {
    res.queryId = randomUUID();
    res.setHeader('X-SVC-Query-Id', res.queryId);
  }
  next();
}

function serverTiming(timings: QueryTimings): string {
  const entries: readonly (readonly [string, number])[] = [
    ['wait', timings.wait],
    ['check', timings.check],
    ['plan', timings.plan],
    ['read', timings.read],
    ['execute', timings.execute()],
  ];
  return entries.map(([name, millis]) => `${name};dur=${millis.toFixed(1)}`).join(', ');
}
