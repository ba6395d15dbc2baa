import type { Span } from '@svc/query-language';
import { assertNever, createSourceText } from '@svc/query-language';

import type { QueryOutcome } from '../testing/query-runner.ts';

/**
 * Prints the outcome of a program in the form of a case file: the type and the lines of its result; `error` with spans and
 * text for each diagnostic; or `failed` with span and text of the run-time error.
 */
export function printOutcome(text: string, outcome: QueryOutcome): string {
  const source = createSourceText(text);
  const placeOf = (span: Span): string => {
    const { begin, end } = source.positionOf(span);
    return `${begin.line}:${begin.column}-${end.line}:${end.column}`;
  };
  switch (outcome.kind) {
    case 'result':
      return [outcome.type, ...outcome.lines].join('\n');
    case 'invalid':
      return outcome.faults.map(({ message, spans }) => `error ${spans.map(placeOf).join(';')} ${message}`).join('\n');
    case 'failed':
      return `failed ${outcome.span === undefined ? '?' : placeOf(outcome.span)} ${outcome.message}`;
    default:
      return assertNever(outcome);
  }
}
