import { StreamStore, TableStore, type Database, type StoredStream } from '@svc/database';
import type { Logger } from '@svc/service-kit';
import { deleteOldRows } from '@svc/user-tables';

import type { StreamLogWriter } from './stream-log.ts';

/** Dependencies of retention jobs. */
export interface RetentionWorld {
  readonly database: Database;
  readonly rows: Database;
  readonly log: StreamLogWriter;
  readonly logger: Logger;
  /** Called after each batch of deletions. */
  readonly onRowsDeleted: (streamId: number, count: number) => void;
}

/** Deletes the expired rows of all streams with retention, one process per table. */
export async function runRetentionJobs(world: RetentionWorld, signal: AbortSignal): Promise<void> {
  for (const stream of await new StreamStore(world.database).listRetaining()) {
    if (signal.aborted) return;
    try {
      await runRetentionJob(world, stream, { signal });
    } catch (thrown) {
      world.logger.warn({ err: thrown, stream: stream.id }, 'old rows of a stream could not be deleted now');
    }
  }
}

/** Deletes the old rows of a stream, as long as its run is not over: a stop waits for the batch that is being deleted. */
export async function runRetentionJob(
  { database, rows, log, onRowsDeleted }: RetentionWorld,
  stream: StoredStream,
  { signal, rowsAtOnce }: { readonly signal: AbortSignal; readonly rowsAtOnce?: number },
): Promise<void> {
  const { retention } = stream.settings;
  const table = await new TableStore(database).get(stream.namespace, stream.name);
  if (retention === null || table === undefined || table.id !== stream.tableId) return;
  const streams = new StreamStore(database);
  let inAll = stream.retentionDeleted;
  await deleteOldRows(
    rows,
    { table, retention },
    {
      signal,
      ...(rowsAtOnce === undefined ? {} : { rowsAtOnce }),
      inBatch: async (transaction, remove) => {
        if (!(await streams.hold(transaction, stream))) return null;
        const batch = await remove();
        inAll += batch.deleted;
        const detail = batch.isLast ? `${inAll} rows deleted` : `${inAll} rows deleted, goes on with those before ${batch.before}`;
        if (detail === stream.retentionDetail) return batch;
        await streams.addRetained(transaction, stream, { deleted: batch.deleted, detail });
        log.write(stream.id, 'retention', batch.deleted > 0 ? 'INFO' : 'DEBUG', detail);
        onRowsDeleted(stream.id, batch.deleted);
        return batch;
      },
    },
  );
}
