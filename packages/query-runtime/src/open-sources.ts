import { scanNeeds } from '@svc/pg-rows';
import type { Reader } from '@svc/query-engine';
import type { OpenedRows } from '@svc/sources';

import type { CompiledQuery } from './compile.ts';
import { placed } from './hold-sources.ts';

/** Rows of sources, fetched for one run. */
interface OpenedSources {
  /** By the keys of the reads. */
  readonly readers: ReadonlyMap<string, Reader>;
  readonly bytes: number;
  readonly close: () => void;
}

/**
 * Fetches the rows of sources that are read anew in each run. Fails with a QueryFailure at the position of the read whose
 * source is unavailable.
 */
export async function openSources(query: CompiledQuery, signal: AbortSignal): Promise<OpenedSources> {
  const { runnable, reads } = query;
  const keyOf = (key: string): string | null => (reads.get(key)?.openRows === undefined ? null : key);
  const needs = runnable === null ? [] : scanNeeds(runnable.plan, (node) => (node.kind === 'Read' ? keyOf(node.key) : null));
  const opened = new Map<string, OpenedRows>();
  const close = (): void => opened.forEach((rows) => rows.close());
  try {
    for (const { source: key, ...needed } of needs) {
      const rows = await reads.get(key)?.openRows?.(needed, signal);
      if (rows !== undefined) opened.set(key, rows);
    }
  } catch (thrown) {
    close();
    const failed = needs[opened.size];
    throw failed === undefined ? thrown : placed(thrown, failed.source, query);
  }
  return {
    readers: new Map([...opened].map(([key, { reader }]) => [key, reader])),
    bytes: [...opened.values()].reduce((sum, { bytes }) => sum + bytes, 0),
    close,
  };
}
