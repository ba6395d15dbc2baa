import type { EngineFailureClass } from '../engine-failure.ts';
import { firstLine, fixed, type FailureReading, type FailureRule } from './failure-rule.ts';

/** Failures of a statement that exceeds a limit: spool, memory, or planning. */
export const LIMIT_FAILURES: readonly FailureRule[] = [
  {
    pattern: /^Out of Memory Error: [\s\S]*max_temp_directory_size|^IO Error: .*No space left/,
    read: (_, text) => pastLimit('spool-full', 'spool space', text),
  },
  fixed(
    /^Parser Error: (?:memory exhausted|Max expression depth limit)|^Binder Error: Max expression depth limit/,
    'too-complex',
    'the query is too large to be run: use fewer sources, or shorter chains of operators',
  ),
  { pattern: /^Out of Memory Error/, read: (_, text) => pastLimit('out-of-memory', 'memory', text) },
];

function pastLimit(failureClass: EngineFailureClass, what: string, text: string): FailureReading {
  const limit = /\/([\d.]+ [KMGT]iB) used\)/.exec(firstLine(text))?.[1];
  return { failureClass, message: `the query needs more ${what} than ${limit === undefined ? '' : `the ${limit} that `}it may use` };
}
