export { Admission, type AdmissionOptions } from './admission.ts';
export { QueryRuntime, type Caller, type QueryRequest, type QueryRuntimeOptions, type QueryTimings, type RunningQuery } from './query-runtime.ts';
