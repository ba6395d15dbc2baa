import { ApiError } from '@svc/api-client';

import { describeDefinitionProblems } from './definition-problems.ts';
import { cleanText } from '../output/clean-text.ts';
import type { Style } from '../output/style.ts';
import { CommandError, SourceError, UsageError } from './cli-errors.ts';
import { drawProblem } from './draw-problem.ts';

/** Returns the lines that explain a failure to the user. */
export function explainFailure(error: unknown, style: Style): string {
  if (error instanceof SourceError && error.cause instanceof ApiError) {
    const { problems } = error.cause;
    if (problems.length > 0) {
      const drawn = problems.map((problem) => drawProblem(problem, error.source, style));
      return [...drawn, ...origin(error.cause, style)].join('\n\n');
    }
    return explainFailure(error.cause, style);
  }
  const head = `${style.error('error:')} ${cleanText(explain(error), { keepLines: true })}`;
  if (!(error instanceof ApiError)) return head;
  return [head, ...describeDefinitionProblems(error.definitionProblems), ...origin(error, style)].join('\n');
}

/** Identifies the failure: by its code in the documentation, by the request in the log of the service. */
function origin({ code, requestId }: ApiError, style: Style): readonly string[] {
  const parts = [...(code === undefined ? [] : [`code ${code}`]), ...(requestId === null ? [] : [`request ${requestId}`])];
  return parts.length === 0 ? [] : [style.faint(cleanText(parts.join(', ')))];
}

function explain(error: unknown): string {
  if (error instanceof ApiError || error instanceof CommandError || error instanceof UsageError) return error.message;
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'The service did not answer in time.';
  const network = findNetworkError(error);
  if (network !== undefined) return network;
  // A fault of this program: a report needs the stack.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** `fetch` reports only that it failed; the reason is in the chain of causes. */
function findNetworkError(error: unknown): string | undefined {
  if (!(error instanceof TypeError)) return undefined;
  const { cause } = error;
  if (error.message === 'terminated') return 'The answer broke off: what was received is not complete.';
  if (!(cause instanceof Error)) return error.message === 'fetch failed' ? 'The service could not be reached.' : undefined;
  const { code = cause.message, address, port } = cause as NodeJS.ErrnoException & { readonly address?: string; readonly port?: number };
  const place = address === undefined ? '' : ` at ${address}:${String(port)}`;
  return `The service could not be reached${place}: ${code}. The addresses in use: svc profile show.`;
}
