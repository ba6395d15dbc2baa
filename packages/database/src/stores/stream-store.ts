import { sql, type Kysely, type Transaction } from 'kysely';

import type { Schema } from '../connection/schema.ts';
import type { IndexState, StreamSettings, StreamState } from '../connection/stream-rows.ts';
import { nameKey } from './name-space.ts';

/** A stored stream. */
export interface StoredStream {
  readonly id: number;
  readonly namespace: string;
  readonly name: string;
  /** The creator, on whose behalf the transform runs. */
  readonly subject: string;
  readonly tableId: number;
  readonly settings: StreamSettings;
  readonly sealedPassword: Buffer | null;
  readonly clusterId: string;
  readonly topicId: string;
  /** The consumer group of its processes: a new one per start, without committed offsets. */
  readonly groupId: string;
  readonly state: StreamState;
  /** Reason of the failure. */
  readonly reason: string | null;
  readonly indexState: IndexState;
  readonly indexDetail: string;
  /** Raised by each start: leftovers of an earlier run may not write. */
  readonly run: number;
  /** Rows and dead letters of the table's topic before this start. */
  readonly rowsBefore: number;
  readonly deadBefore: number;
  /** Old rows that were deleted since this start, and how far that is. */
  readonly retentionDeleted: number;
  readonly retentionDetail: string;
  readonly createdAt: Date;
}

/** A stream to start. */
export type NewStream = Pick<
  StoredStream,
  | 'namespace'
  | 'name'
  | 'subject'
  | 'tableId'
  | 'settings'
  | 'sealedPassword'
  | 'clusterId'
  | 'topicId'
  | 'groupId'
  | 'indexState'
  | 'indexDetail'
  | 'rowsBefore'
  | 'deadBefore'
>;

/** The streams of all namespaces. */
export class StreamStore {
  readonly #db: Kysely<Schema>;

  constructor({ db }: { readonly db: Kysely<Schema> }) {
    this.#db = db;
  }

  /**
   * Starts a stream under a free name, or restarts a failed one of that name; undefined if one of that name, in any
   * spelling, has not failed. Of several concurrent calls exactly one gets the stream.
   */
  async start(transaction: Transaction<Schema>, stream: NewStream): Promise<StoredStream | undefined> {
    const { namespace, name, subject, settings } = stream;
    const row = {
      subject,
      table_id: stream.tableId,
      settings: JSON.stringify(settings),
      sealed_password: stream.sealedPassword,
      cluster_id: stream.clusterId,
      topic_id: stream.topicId,
      group_id: stream.groupId,
      state: 'running',
      reason: null,
      index_state: stream.indexState,
      index_detail: stream.indexDetail,
      rows_before: stream.rowsBefore,
      dead_before: stream.deadBefore,
      retention_deleted: 0,
      retention_detail: '',
    } as const;
    return transaction
      .insertInto('streams')
      .values({ namespace, name, name_key: nameKey(name), ...row })
      .onConflict((conflict) =>
        conflict
          .columns(['namespace', 'name_key'])
          .doUpdateSet((eb) => ({ ...row, run: eb('streams.run', '+', 1), created_at: new Date() }))
          .where('streams.name', '=', name)
          .where('streams.state', '=', 'failed'),
      )
      .returning(COLUMNS)
      .executeTakeFirst();
  }

  /** The stream of exactly this spelling. */
  async get(namespace: string, name: string): Promise<StoredStream | undefined> {
    const rows = this.#db.selectFrom('streams').select(COLUMNS).where('namespace', '=', namespace);
    return rows.where('name_key', '=', nameKey(name)).where('name', '=', name).executeTakeFirst();
  }

  /** The streams of a namespace, in code-point order of their names. */
  async list(namespace: string): Promise<readonly StoredStream[]> {
    return this.#db.selectFrom('streams').select(COLUMNS).where('namespace', '=', namespace).orderBy('name').execute();
  }

  /** Returns the name of the stream, spelt in any case, that keeps another from being started under a name. */
  async holderOf(namespace: string, name: string): Promise<string | undefined> {
    const rows = this.#db.selectFrom('streams').select(['name', 'state']).where('namespace', '=', namespace);
    const row = await rows.where('name_key', '=', nameKey(name)).executeTakeFirst();
    return row === undefined || (row.state === 'failed' && row.name === name) ? undefined : row.name;
  }

  /** Returns number and run of every running stream. */
  async listRunning(): Promise<readonly Pick<StoredStream, 'id' | 'run'>[]> {
    return this.#db.selectFrom('streams').select(['id', 'run']).where('state', '=', 'running').execute();
  }

  /** Returns the streams whose indexes are still being created. */
  async listPreparing(): Promise<readonly StoredStream[]> {
    const rows = this.#db.selectFrom('streams').select(COLUMNS).where('state', '=', 'running');
    return rows.where('index_state', '=', 'preparing').execute();
  }

  /** The streams that delete old rows. */
  async listRetaining(): Promise<readonly StoredStream[]> {
    const rows = this.#db.selectFrom('streams').select(COLUMNS).where('state', '=', 'running');
    return rows.where(sql<boolean>`jsonb_typeof(settings -> 'retention') = 'object'`).execute();
  }

  /** Adds to the count of rows deleted by retention, in the transaction that deletes them. */
  async addRetained(
    transaction: Transaction<Schema>,
    { id, run }: Pick<StoredStream, 'id' | 'run'>,
    { deleted, detail }: { readonly deleted: number; readonly detail: string },
  ): Promise<void> {
    await transaction
      .updateTable('streams')
      .set({ retention_deleted: sql<number>`retention_deleted + ${deleted}`, retention_detail: detail })
      .where('id', '=', id)
      .where('run', '=', run)
      .execute();
  }

  /** The stream of a number. */
  async getById(id: number): Promise<StoredStream | undefined> {
    return this.#db.selectFrom('streams').select(COLUMNS).where('id', '=', id).executeTakeFirst();
  }

  /**
   * Keeps a run of a stream from being stopped until the transaction ends, so that a stop waits for the batch being written.
   * Returns false if it has been stopped: then nothing may be written. Needs READ COMMITTED, to see a stop committed
   * meanwhile.
   */
  async hold(transaction: Transaction<Schema>, { id, run }: Pick<StoredStream, 'id' | 'run'>): Promise<boolean> {
    await sql`SELECT pg_advisory_xact_lock_shared(${WRITE_LOCK}, ${lockNumber(id)})`.execute(transaction);
    const rows = transaction.selectFrom('streams').select('id').where('id', '=', id).where('run', '=', run);
    return (await rows.where('state', '=', 'running').executeTakeFirst()) !== undefined;
  }

  /** Changes the state of a run; false if the stream is not in one of the states `from`, or in another run. */
  async change(
    db: Kysely<Schema>,
    { id, run }: Pick<StoredStream, 'id' | 'run'>,
    to: { readonly from: readonly StreamState[]; readonly state: StreamState; readonly reason: string | null },
  ): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('streams')
      .set((eb) => ({ state: to.state, reason: to.reason, run: eb('run', '+', 1) }))
      .where('id', '=', id)
      .where('run', '=', run)
      .where('state', 'in', [...to.from])
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** Sets the state of a run's indexes. */
  async setIndexState(
    { id, run }: Pick<StoredStream, 'id' | 'run'>,
    to: { readonly state: IndexState; readonly detail: string },
  ): Promise<void> {
    const change = this.#db.updateTable('streams').set({ index_state: to.state, index_detail: to.detail });
    await change.where('id', '=', id).where('run', '=', run).execute();
  }

  /** Blocks the writing of a stream's batches until the transaction ends; waits for batches in progress up to its `lock_timeout`. */
  async lockOut(transaction: Transaction<Schema>, id: number): Promise<void> {
    await sql`SELECT pg_advisory_xact_lock(${WRITE_LOCK}, ${lockNumber(id)})`.execute(transaction);
  }

  /** Terminates the sessions that write for a stream; their uncommitted work is rolled back. */
  async endWriters(id: number): Promise<void> {
    await sql`
      SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid = ${WRITE_LOCK}::oid AND objid = ${lockNumber(id)}::oid AND objsubid = 2
        AND granted AND mode = 'ShareLock' AND pid <> pg_backend_pid()
    `.execute(this.#db);
  }

  /** Deletes a stream; its rows and offsets stay. */
  async delete(db: Kysely<Schema>, id: number): Promise<boolean> {
    const { numDeletedRows } = await db.deleteFrom('streams').where('id', '=', id).executeTakeFirst();
    return numDeletedRows === 1n;
  }

  /**
   * Returns whether a stream that has not failed writes to a table. Call it in the transaction that removes the table, after
   * locking it: no stream can start meanwhile.
   */
  static async isWrittenTo(transaction: Transaction<Schema>, tableId: number): Promise<boolean> {
    const rows = transaction.selectFrom('streams').select('id').where('table_id', '=', tableId).where('state', '<>', 'failed');
    return (await rows.forUpdate().executeTakeFirst()) !== undefined;
  }
}

/** The first number of the advisory locks of those who write for a stream; the second is the stream. It must never change. */
const WRITE_LOCK = 731_650_423;

/** Advisory locks take two 32-bit numbers. */
function lockNumber(id: number): number {
  return id % 2 ** 31;
}

const COLUMNS = [
  'id',
  'namespace',
  'name',
  'subject',
  'table_id as tableId',
  'settings',
  'sealed_password as sealedPassword',
  'cluster_id as clusterId',
  'topic_id as topicId',
  'group_id as groupId',
  'state',
  'reason',
  'index_state as indexState',
  'index_detail as indexDetail',
  'run',
  'rows_before as rowsBefore',
  'dead_before as deadBefore',
  'retention_deleted as retentionDeleted',
  'retention_detail as retentionDetail',
  'created_at as createdAt',
] as const;
