import type { ServerResponse } from 'node:http';

/** Properties set on a response for its log line and its metrics. */
declare module 'http' {
  interface ServerResponse {
    /** The pattern of the path that was found, for metrics: names in paths would be labels without end. */
    routePath?: string;
    /** The code of an answer with an error, written with the request's line. */
    errorCode?: string;
    /** The id of a query's run as shown to the caller, logged with the request. */
    queryId?: string;
  }
}

/** A response with its notes. */
export type NotedResponse = ServerResponse;
