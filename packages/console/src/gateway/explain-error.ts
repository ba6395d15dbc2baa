import { ApiError } from '@svc/api-client';

/** Returns a text for somebody who has just seen something fail. */
export function explainError(error: unknown): string {
  if (error instanceof ApiError) {
    const id = error.status >= 500 && error.requestId !== null ? ` The request was ${error.requestId}.` : '';
    return `${error.message}${id}`;
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'The gateway did not answer in time. Try again.';
  if (error instanceof TypeError) return 'The gateway could not be reached. Check your connection and try again.';
  return error instanceof Error ? error.message : 'Something went wrong.';
}
