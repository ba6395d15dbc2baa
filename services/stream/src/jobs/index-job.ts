import { StreamStore, TableStore, type Database, type StoredStream } from '@svc/database';
import { addIndexes } from '@svc/user-tables';

import type { StreamLogWriter } from './stream-log.ts';

/** Dependencies of index jobs. */
export interface IndexJobWorld {
  readonly database: Database;
  readonly rows: Database;
  readonly log: StreamLogWriter;
}

/** Creates the missing indexes of streams, one process per table. */
export async function runIndexJobs(world: IndexJobWorld, signal: AbortSignal): Promise<void> {
  for (const stream of await new StreamStore(world.database).listPreparing()) {
    if (signal.aborted) return;
    await runIndexJob(world, stream, signal);
  }
}

async function runIndexJob({ database, rows, log }: IndexJobWorld, stream: StoredStream, signal: AbortSignal): Promise<void> {
  const streams = new StreamStore(database);
  const table = await new TableStore(database).get(stream.namespace, stream.name);
  if (table === undefined || table.id !== stream.tableId) return;
  const wanted = stream.settings.indexes;
  log.write(stream.id, 'index', 'INFO', `makes ${wanted.length} indexes`);
  const added = await addIndexes(rows, { table, wanted }, { signal });
  if (added.kind === 'busy' || added.kind === 'gone') return;
  if (added.kind === 'done') {
    await streams.setIndexState(stream, { state: 'running', detail: indexDetail(wanted.length) });
    log.write(stream.id, 'index', 'INFO', indexDetail(wanted.length));
  } else {
    await streams.setIndexState(stream, { state: 'failed', detail: added.problem });
    log.write(stream.id, 'index', 'WARN', `failed: ${added.problem}`);
  }
}

/** Returns the detail of an index job that is complete. */
export function indexDetail(count: number): string {
  return `${count} indexes in place`;
}
