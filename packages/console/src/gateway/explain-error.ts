import { ApiError } from '@svc/api-client';

/** Returns the text of an error for the user. */
export function explainError(error: unknown): string {
  if (error instanceof ApiError) {
    const id = error.status >= 500 && error.requestId !== null ? ` The request was ${error.requestId}.` : '';
    return `${error.message}${id}`;
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'The gateway did not answer in time. Try again.';
  if (error instanceof DOMException && error.name === 'SecurityError')
    return 'The browser does not let this page store anything, which signing in needs. Allow cookies and site data for this address.';
  if (error instanceof TypeError) return 'The gateway could not be reached. Check your connection and try again.';
  return error instanceof Error ? error.message : 'Something went wrong.';
}

/** Reports whether a change may have been made in spite of its error: the gateway gave no answer, or failed. */
export function mayHaveHappened(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500;
}
