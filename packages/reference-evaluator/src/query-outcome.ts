import type { Span } from '@svc/query-language';

/** A diagnostic of a program, as a caller sees it. */
export interface Fault {
  readonly message: string;
}

/** Outcome of a program: its result as lines of hjson, its diagnostics, or its run-time error. */
export type QueryOutcome =
  | { readonly kind: 'result'; readonly type: string; readonly lines: readonly string[] }
  | { readonly kind: 'invalid'; readonly faults: readonly Fault[] }
  | { readonly kind: 'failed'; readonly message: string; readonly span: Span | undefined };

/** Runs programs from their text. */
export interface ProgramRunner {
  readonly outcome: (text: string) => Promise<QueryOutcome>;
}
