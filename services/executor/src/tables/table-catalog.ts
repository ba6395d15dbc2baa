import type { Principal } from '@svc/auth';
import { checkName, readPattern } from '@svc/catalog';
import {
  CatalogStore,
  isLockTimeout,
  isRefusedStatement,
  TableStore,
  type Database,
  type StoredTable,
  type StoredUse,
} from '@svc/database';
import { ServiceError, type ErrorCode } from '@svc/errors';
import { assertNever } from '@svc/query-language';
import type { Admission } from '@svc/query-runtime';
import {
  appendRows,
  createRows,
  dropRows,
  optimizeRows,
  parseTableType,
  readIndexes,
  tableColumns,
  vacuumRows,
  type AppendResult,
  type RowFormat,
  type UpkeepResult,
  type WantedIndex,
} from '@svc/user-tables';

import { openUpload, toUploadFailure, type UploadReading } from './open-upload.ts';

/** A table to create. */
export interface TablePut {
  readonly type: string;
  readonly indexes: readonly WantedIndex[];
  readonly location: string | null;
}

/** Rows as received. */
export interface RowsPut {
  readonly body: AsyncIterable<Uint8Array>;
  readonly format: RowFormat;
  readonly idempotencyKey: string | null;
  readonly signal: AbortSignal;
}

type Owner = Pick<Principal, 'namespace'>;

/** Dependencies of the table catalog. */
export interface TableCatalogOptions {
  readonly database: Database;
  /** A separate pool, so that long uploads do not block name lookups. */
  readonly rows: Database;
  /** Has fewer slots than `rows` has connections: upkeep needs some, too. */
  readonly uploads: Admission;
  readonly reading: UploadReading;
}

/** The user tables of all namespaces. Names match by exact spelling; tables of other namespaces are not found. */
export class TableCatalog {
  readonly #store: TableStore;
  readonly #names: CatalogStore;
  readonly #rows: Database;
  readonly #uploads: Admission;
  readonly #reading: UploadReading;

  constructor({ database, rows, uploads, reading }: TableCatalogOptions) {
    this.#store = new TableStore(database);
    this.#names = new CatalogStore(database);
    this.#rows = rows;
    this.#uploads = uploads;
    this.#reading = reading;
  }

  /** Creates a table. Of several concurrent puts of one name exactly one succeeds. */
  async put({ namespace }: Owner, name: string, wanted: TablePut): Promise<void> {
    checkName(name, 'table_name_invalid');
    const parsed = parseTableType(wanted.type);
    if ('problem' in parsed) throw new ServiceError('table_type_invalid', `The type of the table cannot be used: ${parsed.problem}`);
    const indexes = readIndexes(wanted.indexes, tableColumns(parsed.type));
    if ('problem' in indexes) throw new ServiceError(indexes.code, indexes.problem);
    if (wanted.location !== null) throw new ServiceError('bad_request', locationProblem(wanted.location));
    const table = { namespace, name, type: parsed.text, indexes, location: null };
    const { kind } = await this.#store.insertIfAbsent(table, createRows);
    if (kind === 'exists') throw new ServiceError('table_already_exists', await this.#describeTaken(namespace, name));
  }

  /** The table of exactly this name; otherwise the error that the interface has for the place. */
  async get({ namespace }: Owner, name: string, code: 'table_not_found' | 'Table_not_found'): Promise<StoredTable> {
    const found = isStorable(name) ? await this.#store.get(namespace, name) : undefined;
    if (found === undefined) throw new ServiceError(code, name);
    return found;
  }

  /** Returns the tables whose names match a LIKE pattern, or all, by name. */
  async list({ namespace }: Owner, pattern: string | undefined): Promise<readonly StoredTable[]> {
    return this.#store.list(namespace, readPattern(pattern));
  }

  /** Deletes a table with its rows, and returns its users. Fails while long-running writes or reads hold its rows. */
  async delete(owner: Owner, name: string): Promise<readonly StoredUse[]> {
    const { namespace } = owner;
    await this.get(owner, name, 'table_not_found');
    const users = await this.#names.findUsers(namespace, { kind: 'table', name });
    try {
      const { kind } = await this.#store.delete(namespace, name, dropRows);
      if (kind === 'absent') throw new ServiceError('table_not_found', name);
      if (kind === 'written-to')
        throw new ServiceError('table_concurrency_error', `Table ${JSON.stringify(name)} is in use: a stream writes to it.`);
      return users;
    } catch (cause) {
      if (!isLockTimeout(cause)) throw cause;
      throw new ServiceError('table_concurrency_error', `Table ${JSON.stringify(name)} is in use: its rows are being written or read.`, {
        cause,
      });
    }
  }

  /** Rebuilds indexes and statistics. */
  async optimize(owner: Owner, name: string, signal: AbortSignal): Promise<void> {
    const table = await this.get(owner, name, 'table_not_found');
    throwUnlessDone(await optimizeRows(this.#rows, table, { signal }), { name, busy: 'table_concurrency_error' });
  }

  /** Frees room. */
  async vacuum(owner: Owner, name: string, signal: AbortSignal): Promise<void> {
    const table = await this.get(owner, name, 'table_not_found');
    const result = await vacuumRows(this.#rows, table, { signal }).catch((cause: unknown) => {
      if (!isRefusedStatement(cause)) throw cause;
      throw new ServiceError('vacuum_error', `Table ${JSON.stringify(name)} could not be vacuumed now: try again later.`, { cause });
    });
    throwUnlessDone(result, { name, busy: 'table_concurrency_error' });
  }

  /** Appends rows atomically, and returns their number; with an idempotency key that has stored these rows it stores nothing. */
  async append(caller: Owner & Pick<Principal, 'subject'>, name: string, rows: RowsPut): Promise<number> {
    const table = await this.get(caller, name, 'table_not_found');
    const leave = await this.#uploads.enter(caller.subject, rows.signal);
    const result = await this.#storeRows(table, caller.subject, rows).finally(leave);
    switch (result.kind) {
      case 'stored':
      case 'repeated':
        return result.rowCount;
      case 'refused':
        throw new ServiceError('bad_request', `No row was stored: ${result.problem}.`);
      case 'key-reused':
        throw new ServiceError('bad_request', 'This Idempotency-Key was used for other rows of this table: send new rows under a new key.');
      case 'busy':
        throw new ServiceError(
          'table_concurrency_error',
          rows.idempotencyKey === null
            ? `Others are changing table ${JSON.stringify(name)}, or storing the same values of a unique index: try again later.`
            : 'Rows under this Idempotency-Key are still being stored, or others are changing the table: try again later.',
        );
      case 'gone':
        throw new ServiceError('table_not_found', name);
      default:
        return assertNever(result);
    }
  }

  async #storeRows(table: StoredTable, subject: string, rows: RowsPut): Promise<AppendResult> {
    const { close, ...upload } = openUpload(this.#reading, subject);
    try {
      return await appendRows({ ...upload, database: this.#rows }, { ...rows, table });
    } catch (thrown) {
      throw toUploadFailure(thrown);
    } finally {
      close();
    }
  }

  async #describeTaken(namespace: string, name: string): Promise<string> {
    const { entries } = await this.#names.findNames(namespace, [name]);
    const holder = entries.find(({ kind }) => kind !== 'package');
    if (holder === undefined || (holder.kind === 'table' && holder.name === name)) return `Table ${JSON.stringify(name)} already exists.`;
    const why = holder.kind === 'table' ? `${JSON.stringify(holder.name)} differs from it only in case` : 'a view has this name';
    return `Table ${JSON.stringify(name)} cannot be created: ${why}.`;
  }
}

function throwUnlessDone(result: UpkeepResult, { name, busy }: { readonly name: string; readonly busy: ErrorCode }): void {
  if (result === 'gone') throw new ServiceError('table_not_found', name);
  if (result === 'busy')
    throw new ServiceError(busy, `Table ${JSON.stringify(name)} is being optimized or vacuumed already: one at a time.`);
}

/** Rejects locations: they require Delta tables, which are not implemented yet. */
function locationProblem(location: string): string {
  return /^(s3:\/\/.|file:.)/.test(location)
    ? 'location: tables at a place of their own are not supported yet; leave it out, or null, to keep the rows in the service.'
    : `location: expected null, an s3:// or a file: location, found ${JSON.stringify(location)}.`;
}

/** Returns whether PostgreSQL can store a text; other names cannot exist. */
function isStorable(name: string): boolean {
  return !name.includes('\u0000') && name.isWellFormed();
}
