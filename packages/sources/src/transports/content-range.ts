import type { ByteRange } from './transport.ts';

/** Returns whether the `Content-Range` of a response is the requested range. */
export function isContentRange(header: string | undefined, { start, end }: ByteRange): boolean {
  const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(header ?? '') ?? [];
  return Number(first) === start && Number(last) === end - 1;
}
