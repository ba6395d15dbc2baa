import { TableStore, type Database } from '@svc/database';
import { Client } from 'pg';

import { appendRows } from '../append/append-rows.ts';
import { createRows, dropRows } from '../table-rows.ts';
import { appendResources, openTestEngine } from './open-tables.ts';

/** Application name of the sessions in which changes are stopped. */
export const STOPPED = 'stopped';

/** The statements of each change of a table, from BEGIN to COMMIT. */
export const CHANGES = {
  create: ['begin', 'take the name', 'store the table', 'make its rows', 'index them', 'raise the version', 'commit'],
  append: ['begin', 'settings', 'forget old keys', 'take the key', 'copy', 'complete the key', 'commit'],
  delete: ['begin', 'find the table', 'find its streams', 'free the name', 'lock timeout', 'drop its rows', 'raise the version', 'commit'],
} as const;
export type Change = keyof typeof CHANGES;

/** Changes a table of the namespace of tests; rows wait in a folder. */
export async function changeTable(
  { database, directory }: { readonly database: Database; readonly directory: string },
  change: Change,
  { id, name }: { readonly id: number; readonly name: string },
): Promise<void> {
  const store = new TableStore(database);
  const type = 'collection(record(a: int))';
  const indexes = [{ name: null, fields: ['a'], unique: false }];
  const table = { namespace: 'tests', name, type, indexes, location: null };
  if (change === 'create') await store.insertIfAbsent(table, createRows);
  else if (change === 'delete') await store.delete('tests', name, dropRows);
  else {
    const body = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"a":1}\n{"a":2}\n');
    };
    const at = { id, name, type, indexes, location: null, keyFields: null, createdAt: new Date(), updatedAt: null };
    const { signal } = new AbortController();
    const engine = openTestEngine(directory);
    try {
      await appendRows(appendResources(database, engine, directory), {
        table: at,
        body: body(),
        format: 'json-lines',
        idempotencyKey: 'key',
        signal,
      });
    } finally {
      await engine.close();
    }
  }
}

/** Calls `stop` when a session to be stopped is about to send the statement with a number, counted from 0. The result undoes it. */
export function stopBefore(number: number, stop: (client: Client) => void): () => void {
  const query = Reflect.get(Client.prototype, 'query') as (...args: unknown[]) => unknown;
  let left = number;
  Reflect.set(Client.prototype, 'query', function counted(this: Client, ...args: unknown[]): unknown {
    const { application_name: name } = Reflect.get(this, 'connectionParameters') as { readonly application_name?: string };
    if (name === STOPPED) {
      if (left === 0) stop(this);
      left -= 1;
    }
    return query.apply(this, args);
  });
  return () => void Reflect.set(Client.prototype, 'query', query);
}
