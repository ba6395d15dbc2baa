/** What the parent asks of the process that has the tests: to run some with a mutant on. */
export interface RunRequest {
  readonly mutant: number;
  /** The names of tests. */
  readonly tests: readonly string[];
}

/** What that process answers. `ready` once: the tests, and which mutants each of them reaches (`atLoad`: before any ran). */
export type WorkerMessage =
  | {
      readonly kind: 'ready';
      readonly tests: readonly { readonly name: string; readonly millis: number; readonly mutants: readonly number[] }[];
      readonly atLoad: readonly number[];
      /** Tests that fail without any mutant. */
      readonly broken: readonly string[];
    }
  | { readonly kind: 'result'; readonly mutant: number; readonly killedBy: string | null };
