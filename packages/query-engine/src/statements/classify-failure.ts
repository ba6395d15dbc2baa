import { EngineFailure } from './engine-failure.ts';
import { CAST_FAILURES } from './failures/cast-failures.ts';
import { CSV_FAILURES } from './failures/csv-failures.ts';
import { fixed, type FailureRule } from './failures/failure-rule.ts';
import { FILE_FAILURES } from './failures/file-failures.ts';
import { JSON_FAILURES } from './failures/json-failures.ts';
import { LIMIT_FAILURES } from './failures/limit-failures.ts';
import { RAISED_FAILURES } from './failures/raised-failures.ts';
import { VALUE_FAILURES } from './failures/value-failures.ts';

/**
 * Turns what the engine threw into an EngineFailure, by the start of its message. Nothing of an unknown message is
 * passed on, since it may hold SQL or a path of the server; it stays in `cause`.
 */
export function classifyFailure(thrown: unknown): EngineFailure {
  if (thrown instanceof EngineFailure) return thrown;
  const text = messageOf(thrown);
  for (const rule of RULES) {
    const match = rule.pattern.exec(text);
    if (match === null) continue;
    const { failureClass, message, details } = rule.read(match, text);
    return new EngineFailure(failureClass, message, { line: sqlLine(text), ...details, cause: thrown });
  }
  return new EngineFailure('internal', 'the query engine failed', { isFatal: /^(FATAL|INTERNAL) Error/.test(text), cause: thrown });
}

/** By shape: an error of native code may belong to another realm. */
function messageOf(thrown: unknown): string {
  const hasMessage = typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string';
  return hasMessage ? String(thrown.message) : String(thrown);
}

/** The line of our SQL text, which the engine gives as `LINE 3: …` below the message. */
function sqlLine(text: string): number | undefined {
  const match = /\n\nLINE (\d+): /.exec(text);
  return match === null ? undefined : Number(match[1]);
}

/** In order: the first whose pattern matches decides. Each is pinned by a test on a statement that really fails. */
const RULES: readonly FailureRule[] = [
  fixed(/^(INTERRUPT Error|Interrupted)/, 'interrupted', 'the query was cancelled'),
  ...RAISED_FAILURES,
  ...LIMIT_FAILURES,
  ...CAST_FAILURES,
  ...CSV_FAILURES,
  ...JSON_FAILURES,
  ...FILE_FAILURES,
  ...VALUE_FAILURES,
];
