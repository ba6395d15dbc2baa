import type { LineEnding, ResultFormatName } from '@svc/query-engine';

import type { Caller } from './caller.ts';

/** A query to be run. */
export interface QueryRequest {
  readonly caller: Caller;
  readonly text: string;
  /** For a query that ends in a function. */
  readonly arguments: ReadonlyMap<string, string>;
  readonly format: ResultFormatName;
  readonly lineEnding: LineEnding;
  readonly maxBytes: number | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}
