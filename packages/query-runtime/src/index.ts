export { Admission, type AdmissionOptions } from './admission.ts';
export { QueryRuntime, type QueryRequest, type QueryRuntimeOptions, type QueryTimings, type RunningQuery } from './query-runtime.ts';
export type { Caller } from './caller.ts';
export { RunningQueries, type FollowedQuery, type QueryProgress, type RunningQuerySummary } from './running-queries.ts';
