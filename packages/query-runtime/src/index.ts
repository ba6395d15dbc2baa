export { Admission, queryRefused, type AdmissionOptions } from './admission.ts';
export type { QueryRequest } from './query-request.ts';
export { QueryRuntime, type QueryRuntimeOptions, type QueryTimings, type RunningQuery } from './query-runtime.ts';
export type { Caller } from './caller.ts';
export type { CheckedPackage, CheckedText, NamedText } from './check-stored.ts';
export type { OpenedTables, OpenTables } from './opened-tables.ts';
export { RunningQueries, type FollowedQuery, type QueryProgress, type RunningQuerySummary } from './running-queries.ts';
export { compileTransform, type CompiledTransform, type TransformWorld } from './transform/compile-transform.ts';
export { runTransform, type TransformRun, type TransformSink } from './transform/run-transform.ts';
