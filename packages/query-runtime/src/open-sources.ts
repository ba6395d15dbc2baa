import { scanNeeds } from '@svc/pg-rows';
import type { Reader } from '@svc/query-engine';
import type { Plan } from '@svc/query-language';
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
 * Fetches the rows of sources that are read anew in each run, as far as a plan needs them: that of the query, with the
 * values of its parameters. Fails with a QueryFailure at the position of the read whose
 * source is unavailable.
 */
export async function openSources(query: CompiledQuery, plan: Plan, signal: AbortSignal): Promise<OpenedSources> {
  const { reads } = query;
  const needs = scanNeeds(plan, (node) => {
    const read = node.kind === 'Read' ? reads.get(node.key) : undefined;
    return node.kind !== 'Read' || read?.openRows === undefined ? null : { source: node.key, type: read.type };
  });
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
