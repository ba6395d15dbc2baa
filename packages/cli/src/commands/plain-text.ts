/** Request options of a text body. */
export const PLAIN_TEXT = { headers: { 'Content-Type': 'text/plain; charset=utf-8' } } as const;
