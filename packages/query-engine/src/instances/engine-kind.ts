import type { EngineOptions } from './engine-options.ts';

/**
 * What an engine is good for.
 * - `wide`: anything, by all threads.
 * - `narrow`: statements with little to do, for which waking further threads costs more than they bring. It has one.
 * - `writing`: files of short rows, which several threads make. What they have made waits until it is its turn, as long
 *   as there is memory: with ten times as much, 20 million rows take twice as much and no less time. So it has little.
 */
export type EngineKind = 'wide' | 'narrow' | 'writing';

/** What an engine may use. */
export interface EngineShare {
  readonly threads: number;
  readonly memoryMegabytes: number;
}

const WRITING_MEGABYTES = 128;

/** The share of an engine of this kind. */
export function engineShare(kind: EngineKind, { threads, memoryMegabytes, concurrency }: EngineOptions): EngineShare {
  const share = { threads, memoryMegabytes: memoryMegabytes / concurrency };
  if (kind === 'narrow') return { ...share, threads: 1 };
  return kind === 'writing' ? { ...share, memoryMegabytes: Math.min(share.memoryMegabytes, WRITING_MEGABYTES) } : share;
}
