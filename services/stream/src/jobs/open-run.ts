import type { CatalogReader } from '@svc/catalog';
import { StreamStore, TableStore, type StoredStream, type StoredTable } from '@svc/database';
import { isQueryFailure } from '@svc/errors';
import { compileTransform, type CompiledTransform } from '@svc/query-runtime';

import { fitProblem } from '../streams/fit-type.ts';
import { JobFailure, RunStopped } from './job-failure.ts';
import type { StreamRun, WorkerWorld } from './worker-world.ts';

/** A run with its stream and table as stored now. */
export interface OpenedRun {
  readonly stream: StoredStream;
  readonly table: StoredTable;
  readonly transform: CompiledTransform;
}

/** Opens a run. Throws RunStopped if it is over, JobFailure if it can no longer work, and errors of the database. */
export async function openRun({ database, catalog }: WorkerWorld, run: StreamRun, signal: AbortSignal): Promise<OpenedRun> {
  const stream = await new StreamStore(database).getById(run.id);
  if (stream === undefined || stream.run !== run.run || stream.state !== 'running') throw new RunStopped();
  const table = await new TableStore(database).get(stream.namespace, stream.name);
  if (table === undefined || table.id !== stream.tableId) throw new JobFailure('The table of the stream is gone.');
  const transform = await compile(stream, catalog, signal);
  const problem = fitProblem(transform.rowType, table.type);
  if (problem !== null) throw new JobFailure(`The transform no longer fits the table: ${problem}.`);
  return { stream, table, transform };
}

async function compile({ namespace, settings }: StoredStream, catalog: CatalogReader, signal: AbortSignal): Promise<CompiledTransform> {
  try {
    return await compileTransform({ namespace, catalog, signal }, settings.transform);
  } catch (thrown) {
    if (isQueryFailure(thrown)) throw new JobFailure(`The transform is no longer valid: ${thrown.message}.`, thrown);
    throw thrown;
  }
}
