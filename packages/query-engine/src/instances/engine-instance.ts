import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';

import { quoteText } from '../representation/sql-text.ts';
import { bufferStreams, STREAM_BUFFER } from '../statements/stream-buffer.ts';
import { STREAM_END, STREAM_END_TABLE } from '../statements/stream-end.ts';
import type { EngineKind } from './engine-kind.ts';
import type { EngineOptions } from './engine-options.ts';
import { FailureNotes } from './failure-notes.ts';

/**
 * Maximum depth of expressions. The language allows 200 levels, some of which print as several; the engine binds nested
 * calls in cubic time (1000 levels: 20 s), so a higher limit would only be a way to keep it busy.
 */
const MAX_EXPRESSION_DEPTH = 1500;

/** An engine with its share of memory and its sandbox. */
export interface EngineInstance {
  readonly kind: EngineKind;
  /** Failures recorded by the current statement: an engine runs one at a time. */
  readonly notes: FailureNotes;
  readonly connect: () => Promise<DuckDBConnection>;
  /** Requires that no statement is running. */
  readonly close: () => Promise<void>;
}

/** Opens an engine that can read only the allowed folders, loads no extensions, and whose configuration is locked. */
export async function openInstance(options: EngineOptions, kind: EngineKind): Promise<EngineInstance> {
  const spillDirectory = await mkdtemp(join(options.spoolDirectory, 'spill-'));
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(kind === 'narrow' ? 1 : options.threads),
    memory_limit: megabytes(options.memoryMegabytes / options.concurrency),
    // Without these threads, the memory of a statement is released only when its thread, of the process's pool, has other
    // work. The setting is global to the process.
    allocator_background_threads: 'true',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const notes = new FailureNotes();
  const connection = await instance.connect();
  try {
    notes.register(connection);
    for (const statement of preparation(options, spillDirectory)) await connection.run(statement);
  } finally {
    connection.closeSync();
  }
  return {
    kind,
    notes,
    connect: () => connectTo(instance),
    close: async () => {
      instance.closeSync();
      await rm(spillDirectory, { recursive: true, force: true });
    },
  };
}

async function connectTo(instance: DuckDBInstance): Promise<DuckDBConnection> {
  const connection = await instance.connect();
  await bufferStreams(connection, 'near');
  return connection;
}

/** Configures the engine. The order matters: folders can only be set while access is open, and nothing after the lock. */
function preparation(options: EngineOptions, spillDirectory: string): readonly string[] {
  const folders = [...options.readRoots, options.spoolDirectory].map((folder) => quoteText(asFolder(folder)));
  return [
    `CREATE TABLE ${STREAM_END_TABLE} AS SELECT ${quoteText(STREAM_END)} AS line`,
    `SET GLOBAL TimeZone = 'UTC'`,
    `SET GLOBAL max_expression_depth = ${MAX_EXPRESSION_DEPTH}`,
    // Below a join, it moves the filters of a subselect above its items, and a fallible one stays there: items fail for rows
    // that the filter excludes.
    `SET GLOBAL disabled_optimizers = 'filter_pullup'`,
    // The engine estimates 42 rows for a text file, and would compare all pairs of rows of two large ones.
    ...['asof_loop_join', 'merge_join', 'nested_loop_join'].map((join) => `SET GLOBAL ${join}_threshold = 0`),
    `SET GLOBAL allowed_directories = [${folders.join(', ')}]`,
    `SET GLOBAL temp_directory = ${quoteText(asFolder(spillDirectory))}`,
    `SET GLOBAL max_temp_directory_size = '${megabytes(options.spoolMegabytes / options.concurrency)}'`,
    // A thread suspends a task after some 50 chunks. Otherwise a task too far ahead of a stream's reader would leave its
    // thread idle.
    'SET GLOBAL scheduler_process_partial = true',
    'SET GLOBAL enable_external_access = false',
    // The setting belongs to a connection, and is harmless.
    `SET GLOBAL allowed_configs = [${quoteText(STREAM_BUFFER)}]`,
    'SET GLOBAL lock_configuration = true',
  ];
}

/** The engine compares prefixes: without the slash, `/data` would also allow `/database`. */
function asFolder(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

function megabytes(amount: number): string {
  return `${Math.max(1, Math.floor(amount))}MB`;
}
