import type { EngineFailureClass, EngineFailureDetails } from '../engine-failure.ts';

/** Interpretation of an engine's message; `message` is public. */
export interface FailureReading {
  readonly failureClass: EngineFailureClass;
  readonly message: string;
  readonly details?: EngineFailureDetails;
}

/** Interprets messages that match the pattern; `text` is the whole message, `match` the matched part. */
export interface FailureRule {
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray, text: string) => FailureReading;
}

/** Creates a rule with a constant text. */
export function fixed(pattern: RegExp, failureClass: EngineFailureClass, message: string): FailureRule {
  return { pattern, read: () => ({ failureClass, message }) };
}

/** Returns the first line of a message: below it the engine quotes SQL, or settings that might help. */
export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** The start of a caller's value, which can be long: at most 100 code points. */
export function cutValue(text: string): string {
  const points = [...text.slice(0, 400)];
  return points.length > 100 ? `${points.slice(0, 100).join('')}…` : text;
}

/** Begins as the middle of a sentence does, but for names in capitals. */
export function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
