import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrate, openDatabase, TableStore, type Database, type StoredIndex, type StoredTable } from '@svc/database';
import type { ScanNeeds } from '@svc/pg-rows';
import {
  createEnginePool,
  EngineFailure,
  printRows,
  streamResult,
  type EngineLease,
  type EnginePool,
  type Reader,
} from '@svc/query-engine';
import { parseType, type CollectionType } from '@svc/query-language';
import { createTestDatabase } from '@svc/test-kit';

import { appendRows, type AppendRequest, type AppendResult, type AppendResources } from '../append/append-rows.ts';
import type { UploadSpool } from '../append/spool-rows.ts';

import { scanTables, type ScannedTable } from '../scan/scan-tables.ts';
import { createRows } from '../table-rows.ts';

/** A database with user tables and an engine to read them. */
export interface TestTables {
  readonly url: string;
  readonly database: Database;
  readonly store: TableStore;
  readonly directory: string;
  readonly create: (name: string, type: string, indexes?: readonly StoredIndex[]) => Promise<StoredTable>;
  readonly get: (name: string) => Promise<StoredTable>;
  readonly append: (table: StoredTable, text: string, more?: Partial<AppendRequest>, spool?: Partial<UploadSpool>) => Promise<AppendResult>;
  /** Returns every row as JSON text. */
  readonly rows: (table: StoredTable, needs?: Partial<ScanNeeds>) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

const NAMESPACE = 'tests';

/** Opens a database of the suite's own. */
export async function openTables(): Promise<TestTables> {
  const { url, drop } = await createTestDatabase({ migrate });
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'svc-user-tables-')));
  const database = openDatabase({ url, applicationName: 'test', maxConnections: 5, connectTimeoutMs: 60_000 });
  const engine = openTestEngine(directory);
  const store = new TableStore(database);
  const { signal } = new AbortController();
  const get = async (name: string): Promise<StoredTable> => {
    const table = await store.get(NAMESPACE, name);
    if (table === undefined) throw new Error('there is no such table');
    return table;
  };
  return {
    url,
    database,
    store,
    get,
    directory,
    rows: async (table, needs = {}) => {
      const scans = await scanTables(database, { tables: [{ ...wholeTable(table), ...needs }], directory, reserve: () => true, signal });
      const lease = await engine.lease(signal);
      try {
        return await linesOf(lease, scans.readers.get(table.name));
      } finally {
        await lease.release();
        await scans.close();
      }
    },
    create: async (name, type, indexes = []) => {
      await store.insertIfAbsent({ namespace: NAMESPACE, name, type, indexes, location: null }, createRows);
      return get(name);
    },
    append: (table, text, more = {}, spool = {}) => {
      const resources = appendResources(database, engine, directory);
      return appendRows(
        { ...resources, spool: { ...resources.spool, ...spool } },
        {
          table,
          body: pieces(text),
          format: 'json-lines',
          idempotencyKey: null,
          signal,
          ...more,
        },
      );
    },
    close: async () => {
      await engine.close();
      await database.close();
      await drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Opens an engine that may read a folder. */
export function openTestEngine(spoolDirectory: string): EnginePool {
  return createEnginePool({ memoryMegabytes: 512, threads: 2, concurrency: 1, spoolDirectory, spoolMegabytes: 200, readRoots: [] });
}

/** Returns the resources of an upload into a folder. */
export function appendResources(database: Database, engine: EnginePool, directory: string): AppendResources {
  return {
    database,
    spool: { directory, reserve: () => undefined },
    lease: async (signal) => {
      const lease = await engine.lease(signal, 'narrow');
      return { lease, release: () => lease.release() };
    },
  };
}

function wholeTable({ name, id, type }: StoredTable): ScannedTable {
  const parsed = parseType(type);
  if ('diagnostics' in parsed) throw new Error(type);
  // The type of a table is a collection.
  return { table: name, id, type: parsed.type as CollectionType, fields: null, conditions: [], limit: null, top: null };
}

async function linesOf(lease: EngineLease, reader: Reader | undefined): Promise<readonly string[]> {
  if (reader === undefined) throw new Error('nothing was scanned');
  const printed = printRows({ ...reader, isCollection: true }, { format: 'hjson' });
  const stream = streamResult(lease, {
    printed,
    version: '1',
    signal: new AbortController().signal,
    explain: async () => new EngineFailure('internal', 'the rows broke off'),
  });
  let text = '';
  for await (const piece of stream) text += Buffer.from(piece).toString();
  return text.split('\n').slice(0, -1);
}

/** Yields the bytes of a text in pieces, which may divide a character. */
export async function* pieces(text: string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
