import type { Type } from '@svc/query-language';

/** Rows that inference looks at unless told otherwise. */
export const DEFAULT_SAMPLE_SIZE = 10_000;

/** What was found out about a source. */
export interface Inferred<Plan> {
  readonly type: Type;
  readonly plan: Plan;
  /** Only a part of the data was looked at. */
  readonly isSampled: boolean;
  /** Of JSON of which only a part was looked at: how many rows that was; others may have more members. */
  readonly sampledRows?: number;
}
