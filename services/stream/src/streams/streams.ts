import { randomUUID } from 'node:crypto';

import { checkName, nameProblem, type CatalogReader } from '@svc/catalog';
import {
  CatalogStore,
  DeadLetterStore,
  isLockTimeout,
  StreamLogStore,
  StreamOffsetStore,
  StreamStore,
  StreamWorkerStore,
  TableStore,
  type Database,
  type DeadLetter,
  type StoredIndex,
  type StoredStream,
  type StoredTable,
  type StreamLogLine,
  type StreamSettings,
} from '@svc/database';
import { isQueryFailure, ServiceError } from '@svc/errors';
import type { NetworkGuard } from '@svc/network-guard';
import { collectionOf, printType, type RecordType } from '@svc/query-language';
import { compileTransform, type CompiledTransform } from '@svc/query-runtime';
import { createRows, missingIndexes, parseTableType, readIndexes, tableColumns, type WantedIndex } from '@svc/user-tables';
import type { Vault } from '@svc/vault';
import { sql } from 'kysely';

import { indexDetail } from '../jobs/index-job.ts';
import type { BrokerAddress } from '../kafka/broker-address.ts';
import { findTopic } from '../kafka/find-topic.ts';
import { isKafkaProblem } from '../kafka/kafka-problem.ts';
import type { TopicMetadata } from '../kafka/topic-metadata.ts';
import { passwordBinding } from './broker-of-stream.ts';
import { jobStatuses, type JobStatus } from './job-status.ts';

/** Who owns a stream and on whose behalf its transform runs. */
export interface Owner {
  readonly namespace: string;
  readonly subject: string;
}

/** A stream as it is asked for. */
export interface StreamPost {
  readonly address: BrokerAddress;
  readonly topic: string;
  readonly transform: string;
  readonly intervalMillis: number;
  readonly indexes: readonly WantedIndex[];
  readonly location: string | null;
}

/** What streams stand on. */
export interface StreamsOptions {
  readonly database: Database;
  readonly catalog: CatalogReader;
  readonly guard: NetworkGuard;
  readonly vault: Pick<Vault, 'seal'>;
  /** Told when a stream was started or stopped here. */
  readonly onChange: () => Promise<void>;
}

/** How long a stop waits for batches that are being stored. */
const STOP_TIMEOUT = '10s';
const MOST_LETTERS = 1000;

/** The streams of all namespaces: found by exact spelling, and what another namespace has does not exist. */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #streams: StreamStore;
  readonly #tables: TableStore;
  readonly #offsets = new StreamOffsetStore();

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.#streams = new StreamStore(options.database);
    this.#tables = new TableStore(options.database);
  }

  /** Creates a stream with its table, and starts it. Of several at once exactly one wins. */
  async create(owner: Owner, name: string, post: StreamPost, signal: AbortSignal): Promise<void> {
    checkName(name, 'stream_name_invalid');
    if (post.location !== null)
      throw new ServiceError('bad_request', 'location: tables at a place of their own are not supported yet; leave it out, or null.');
    const { rowType } = await this.compile(owner, post.transform, signal);
    const type = tableTypeOf(rowType);
    const indexes = indexesOf(post.indexes, type);
    const topic = await this.#findTopic(post);
    const { namespace } = owner;
    if (await this.#streams.isTaken(namespace, name)) throw taken(name);
    const table = await this.#tableFor(namespace, name, { type, indexes });
    await this.#start(owner, { name, post, indexes, topic, table });
    await this.#options.onChange();
  }

  /** Throws stream_error with all that is wrong with a transform. */
  async compile({ namespace }: Owner, text: string, signal: AbortSignal): Promise<CompiledTransform> {
    try {
      return await compileTransform({ namespace, catalog: this.#options.catalog, signal }, text);
    } catch (thrown) {
      if (!isQueryFailure(thrown)) throw thrown;
      throw new ServiceError('stream_error', `The transform cannot be used: ${thrown.message}.`, {
        cause: thrown,
        members: { validationErrors: thrown.validationErrors },
      });
    }
  }

  /** The streams of a namespace, by name. */
  async list({ namespace }: Owner): Promise<readonly StoredStream[]> {
    return this.#streams.list(namespace);
  }

  /** The stream of exactly this name. */
  async get({ namespace }: Owner, name: string): Promise<StoredStream> {
    const found = nameProblem(name) === null ? await this.#streams.get(namespace, name) : undefined;
    if (found === undefined) throw new ServiceError('stream_not_found', name);
    return found;
  }

  /** Its jobs, as they are now. */
  async jobs(owner: Owner, name: string): Promise<readonly JobStatus[]> {
    const stream = await this.get(owner, name);
    const { database } = this.#options;
    const [offsets, workers] = await Promise.all([this.#offsets.read(database.db, stream), new StreamWorkerStore(database).list(stream)]);
    return jobStatuses({ stream, offsets, workers });
  }

  /** The log of a job, oldest line first. */
  async log(owner: Owner, name: string, job: string): Promise<readonly StreamLogLine[]> {
    const stream = await this.get(owner, name);
    if (job !== 'data' && !(job === 'index' && stream.indexState !== 'none'))
      throw new ServiceError('stream_job_not_found', `Stream ${JSON.stringify(name)} has no job ${JSON.stringify(job)}.`);
    return new StreamLogStore(this.#options.database).read(stream.id, job);
  }

  /** Stops all jobs for good. */
  async kill(owner: Owner, name: string): Promise<void> {
    const stream = await this.get(owner, name);
    await this.#stop(stream, { isForced: true }, async (transaction) => {
      await this.#streams.change(transaction, stream, { from: ['running', 'paused', 'failed'], state: 'failed', reason: 'killed' });
    });
  }

  /** Stops all jobs until `resume`. */
  async pause(owner: Owner, name: string): Promise<void> {
    await this.#changeTo(await this.get(owner, name), { from: 'running', state: 'paused', can: 'be paused' });
  }

  /** Lets a paused stream go on. */
  async resume(owner: Owner, name: string): Promise<void> {
    await this.#changeTo(await this.get(owner, name), { from: 'paused', state: 'running', can: 'be resumed' });
  }

  /** Stops the jobs and forgets the stream. Unless it is forced, a batch that is being stored is waited for. */
  async delete(owner: Owner, name: string, { isForced }: { readonly isForced: boolean }): Promise<void> {
    const stream = await this.get(owner, name);
    await this.#stop(stream, { isForced }, async (transaction) => void (await this.#streams.delete(transaction, stream.id)));
  }

  /** Messages that could not be stored, in the order in which they came. */
  async deadLetters(owner: Owner, name: string, page: { readonly after: number; readonly limit: number }): Promise<readonly DeadLetter[]> {
    const stream = await this.get(owner, name);
    return new DeadLetterStore().list(this.#options.database.db, stream, { after: page.after, limit: Math.min(page.limit, MOST_LETTERS) });
  }

  async #changeTo(
    stream: StoredStream,
    to: { readonly from: 'running' | 'paused'; readonly state: 'running' | 'paused'; readonly can: string },
  ): Promise<void> {
    if (stream.state === to.state) return;
    await this.#stop(stream, { isForced: false }, async (transaction) => {
      if (await this.#streams.change(transaction, stream, { from: [to.from], state: to.state, reason: null })) return;
      throw new ServiceError(
        'stream_error',
        `Stream ${JSON.stringify(stream.name)} cannot ${to.can}: it has failed (${stream.reason ?? 'changed meanwhile'}).`,
      );
    });
  }

  /**
   * Changes a stream so that its run may write no more. The change waits for batches that are being stored; a forced one ends their
   * sessions instead.
   */
  async #stop(
    stream: StoredStream,
    { isForced }: { readonly isForced: boolean },
    change: (transaction: Parameters<StreamStore['hold']>[0]) => Promise<void>,
  ): Promise<void> {
    const { database } = this.#options;
    const attempt = (lockTimeout: string): Promise<void> =>
      database.db.transaction().execute(async (transaction) => {
        await sql`SELECT set_config('lock_timeout', ${lockTimeout}, true)`.execute(transaction);
        await this.#streams.lockOut(transaction, stream.id);
        await change(transaction);
      });
    try {
      await attempt(isForced ? '500ms' : STOP_TIMEOUT).catch(async (thrown: unknown) => {
        if (!isForced || !isLockTimeout(thrown)) throw thrown;
        await this.#streams.endWriters(stream.id);
        await attempt(STOP_TIMEOUT);
      });
    } catch (cause) {
      if (!isLockTimeout(cause)) throw cause;
      throw new ServiceError('stream_error', `Stream ${JSON.stringify(stream.name)} is still storing messages: try again, or force it.`, {
        cause,
      });
    }
    await this.#options.onChange();
  }

  async #findTopic({ address, topic }: StreamPost): Promise<TopicMetadata> {
    try {
      return await findTopic(address, topic, this.#options.guard);
    } catch (thrown) {
      if (isKafkaProblem(thrown)) throw new ServiceError('stream_error', thrown.message, { cause: thrown });
      throw thrown;
    }
  }

  /** The table of the stream's name, made if there is none. */
  async #tableFor(
    namespace: string,
    name: string,
    wanted: { readonly type: string; readonly indexes: readonly StoredIndex[] },
  ): Promise<StoredTable> {
    await this.#tables.insertIfAbsent({ namespace, name, ...wanted, location: null }, createRows);
    const table = await this.#tables.get(namespace, name);
    if (table === undefined) throw new ServiceError('stream_error', await this.#describeTaken(namespace, name));
    if (table.type !== wanted.type)
      throw new ServiceError(
        'stream_error',
        `Table ${JSON.stringify(name)} exists with another type: it is ${table.type}, and the transform makes ${wanted.type}.`,
      );
    return table;
  }

  async #describeTaken(namespace: string, name: string): Promise<string> {
    const { entries } = await new CatalogStore(this.#options.database).findNames(namespace, [name]);
    const holder = entries.find(({ kind }) => kind !== 'package');
    const why =
      holder?.kind === 'view' ? 'a view has this name' : `the table ${JSON.stringify(holder?.name ?? name)} differs from it only in case`;
    return `Table ${JSON.stringify(name)} cannot be made: ${why}.`;
  }

  async #start(
    { namespace, subject }: Owner,
    of: {
      readonly name: string;
      readonly post: StreamPost;
      readonly indexes: readonly StoredIndex[];
      readonly topic: TopicMetadata;
      readonly table: StoredTable;
    },
  ): Promise<void> {
    const { name, post, indexes, topic, table } = of;
    const { host, port, tls, login } = post.address;
    const security =
      tls || login !== null ? { tls, login: login === null ? null : { mechanism: login.mechanism, username: login.username } } : null;
    const settings: StreamSettings = {
      ...{ host, port, topic: post.topic, transform: post.transform, intervalMillis: post.intervalMillis, indexes, security },
      retention: null,
      keyFields: null,
    };
    const sealedPassword = login === null ? null : this.#options.vault.seal(passwordBinding({ namespace, name }), login.password);
    const place = { tableId: table.id, clusterId: topic.clusterId, topicId: topic.topicId };
    const isComplete = missingIndexes(table, indexes).length === 0;
    const started = await this.#options.database.db.transaction().execute(async (transaction) => {
      const offsets = await this.#offsets.read(transaction, place);
      const before = {
        rowsBefore: offsets.reduce((sum, { rowCount }) => sum + rowCount, 0),
        deadBefore: offsets.reduce((sum, { deadCount }) => sum + deadCount, 0),
      };
      const indexState = indexes.length === 0 ? 'none' : isComplete ? 'running' : 'preparing';
      const stream = {
        namespace,
        name,
        subject,
        settings,
        sealedPassword,
        ...place,
        ...before,
        groupId: `svc-stream-${randomUUID()}`,
        indexState,
      } as const;
      return this.#streams.start(transaction, { ...stream, indexDetail: isComplete ? indexDetail(indexes.length) : '' });
    });
    if (started === undefined) throw taken(name);
  }
}

function taken(name: string): ServiceError {
  return new ServiceError('stream_already_exists', `Stream ${JSON.stringify(name)} already exists.`);
}

/** The type of the table that rows of a type go into. */
export function tableTypeOf(rowType: RecordType): string {
  const parsed = parseTableType(printType(collectionOf(rowType)));
  if ('problem' in parsed) throw new ServiceError('stream_error', `The transform cannot be used: ${parsed.problem}.`);
  return parsed.text;
}

function indexesOf(wanted: readonly WantedIndex[], type: string): readonly StoredIndex[] {
  const parsed = parseTableType(type);
  if ('problem' in parsed) throw new Error(`the type of a table cannot be read: ${parsed.problem}`);
  const indexes = readIndexes(wanted, tableColumns(parsed.type));
  if ('problem' in indexes) throw new ServiceError('stream_error', indexes.problem);
  return indexes;
}
