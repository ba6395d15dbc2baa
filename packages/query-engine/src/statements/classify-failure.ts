import { EngineFailure } from './engine-failure.ts';
import { CAST_FAILURES } from './failures/cast-failures.ts';
import { fixed, type FailureReading, type FailureRule } from './failures/failure-rule.ts';
import { LIMIT_FAILURES } from './failures/limit-failures.ts';
import { RAISED_FAILURES } from './failures/raised-failures.ts';
import { READ_FAILURES } from './failures/read-failures.ts';
import { VALUE_FAILURES } from './failures/value-failures.ts';

/** Length kept of each end of a message. */
const KEPT_CHARACTERS = 4000;

/**
 * Converts an exception of the engine to an EngineFailure, by the beginning of its message. Unknown messages are not passed
 * on, since they may contain SQL or a path of the server; they stay in `cause`.
 */
export function classifyFailure(thrown: unknown): EngineFailure {
  if (thrown instanceof EngineFailure) return thrown;
  const whole = messageOf(thrown);
  const text = shortened(whole);
  const reading = readBy(RAISED_FAILURES, whole) ?? readBy(RULES, text);
  const isFatal = /^(FATAL|INTERNAL) Error/.test(text);
  if (reading === null) return new EngineFailure('internal', 'the query engine failed', { isFatal, cause: thrown });
  const { failureClass, message, details } = reading;
  // The message of a line of a file quotes the file.
  const line = details?.sourceLine === undefined ? sqlLine(text) : undefined;
  return new EngineFailure(failureClass, message, { line, isFatal, ...details, cause: thrown });
}

function readBy(rules: readonly FailureRule[], text: string): FailureReading | null {
  for (const { pattern, read } of rules) {
    const match = pattern.exec(text);
    if (match !== null) return read(match, text);
  }
  return null;
}

/** Truncates the middle of a message that quotes a long value: rules match the engine's words after it. */
function shortened(text: string): string {
  return text.length <= 2 * KEPT_CHARACTERS ? text : text.slice(0, KEPT_CHARACTERS) + text.slice(-KEPT_CHARACTERS);
}

/** Structural check: an error of native code may belong to another realm. */
function messageOf(thrown: unknown): string {
  const hasMessage = typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string';
  return hasMessage ? String(thrown.message) : String(thrown);
}

/** Returns the line of the SQL text, which the engine reports as `LINE 3: …` below the message. */
function sqlLine(text: string): number | undefined {
  const match = /\n\nLINE (\d+): /.exec(text);
  return match === null ? undefined : Number(match[1]);
}

/** Ordered: the first matching rule applies. Each is covered by a test with a statement that really fails. */
const RULES: readonly FailureRule[] = [
  fixed(/^(INTERRUPT Error|Interrupted)/, 'interrupted', 'the query was cancelled'),
  ...LIMIT_FAILURES,
  ...CAST_FAILURES,
  ...READ_FAILURES,
  ...VALUE_FAILURES,
];
