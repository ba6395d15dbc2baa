import type { EngineOptions } from './engine-options.ts';

/**
 * Kind of an engine.
 * - `wide`: any statement, with all threads.
 * - `narrow`: cheap statements, for which waking further threads costs more than it saves. It has one thread.
 * - `writing`: files of short rows, written by several threads. Finished rows wait for their turn as long as there is
 * memory: with ten times as much, 20 million rows take twice as much and no less time. So it has little.
 */
export type EngineKind = 'wide' | 'narrow' | 'writing';

/** Resources of an engine. */
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
