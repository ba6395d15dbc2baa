import type { Type } from '@svc/query-language';

/** Default number of rows that inference reads. */
export const DEFAULT_SAMPLE_SIZE = 10_000;

/** The inferred type and plan of a source. */
export interface Inferred<Plan> {
  readonly type: Type;
  readonly plan: Plan;
  /** True if only a part of the data was read. */
  readonly isSampled: boolean;
  /** For sampled JSON: the number of rows read; others may have more members. */
  readonly sampledRows?: number;
}
