import type { ByteRange } from './transport.ts';

/** Whether the `Content-Range` of an answer is the range that was asked for. */
export function isContentRange(header: string | undefined, { start, end }: ByteRange): boolean {
  const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(header ?? '') ?? [];
  return Number(first) === start && Number(last) === end - 1;
}
