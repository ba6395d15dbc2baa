/** Request of the parent to the worker: run tests with a mutant active. */
export interface RunRequest {
  readonly mutant: number;
  /** The names of tests. */
  readonly tests: readonly string[];
}

/** Response of the worker. `ready` once: the tests, and the mutants that each of them reaches (`atLoad`: before any ran). */
export type WorkerMessage =
  | {
      readonly kind: 'ready';
      readonly tests: readonly { readonly name: string; readonly millis: number; readonly mutants: readonly number[] }[];
      readonly atLoad: readonly number[];
      /** Tests that fail without any mutant. */
      readonly broken: readonly string[];
    }
  | { readonly kind: 'result'; readonly mutant: number; readonly killedBy: string | null };
