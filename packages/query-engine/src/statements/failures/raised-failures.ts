import type { FailureRule } from './failure-rule.ts';

/** Failures that generated SQL raises by `error(…)`: those of the lowering with an id, those of the readers with a text. */
export const RAISED_FAILURES: readonly FailureRule[] = [
  {
    pattern: /^Invalid Input Error: (E\d+)(?::([\s\S]*))?$/,
    read: (m) => ({ failureClass: 'user-error', message: m[2] ?? '', details: { errorId: m[1] } }),
  },
  {
    pattern: /^Invalid Input Error: READ (csv|json|parquet): ([\s\S]*)$/,
    read: (m) => ({
      failureClass: m[1] === 'csv' ? 'csv' : m[1] === 'json' ? 'json' : 'parquet',
      message: m[2] ?? '',
      details: { sourceColumn: (m[1] === 'json' ? /^([^.[:]*)[.[:]/ : /^column ([\s\S]*?): /).exec(m[2] ?? '')?.[1] },
    }),
  },
];
