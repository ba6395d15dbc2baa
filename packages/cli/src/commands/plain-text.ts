/** What a request has that sends a text. */
export const PLAIN_TEXT = { headers: { 'Content-Type': 'text/plain; charset=utf-8' } } as const;
