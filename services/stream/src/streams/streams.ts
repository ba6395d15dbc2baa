import { checkName, nameProblem, type CatalogReader } from '@svc/catalog';
import {
  DeadLetterStore,
  isLockTimeout,
  StreamLogStore,
  StreamOffsetStore,
  StreamStore,
  StreamWorkerStore,
  type DeadLetter,
  type StoredStream,
  type StreamLogLine,
} from '@svc/database';
import { isQueryFailure, ServiceError } from '@svc/errors';
import { compileTransform, type CompiledTransform } from '@svc/query-runtime';
import { sql } from 'kysely';

import { createStream, type CreationWorld, type Owner, type StreamPost } from './create-stream.ts';
import { isJobOf, jobStatuses, type JobStatus } from './job-status.ts';

/** Dependencies of the streams. */
export interface StreamsOptions extends CreationWorld {
  readonly catalog: CatalogReader;
  /** Called after a stream was started or stopped in this process. */
  readonly onChange: () => Promise<void>;
}

/** Maximum time a stop waits for batches being stored. */
const STOP_TIMEOUT = '10s';
const MOST_LETTERS = 1000;

/** The streams of all namespaces. Names match by exact spelling; streams of other namespaces are not found. */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #streams: StreamStore;
  readonly #offsets = new StreamOffsetStore();

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.#streams = new StreamStore(options.database);
  }

  /** Creates a stream with its table, and starts it. Of several concurrent calls exactly one succeeds. */
  async create(owner: Owner, name: string, post: StreamPost, signal: AbortSignal): Promise<void> {
    checkName(name, 'stream_name_invalid');
    const { rowType } = await this.compile(owner, post.transform, signal);
    await createStream(this.#options, { owner, name, post, rowType });
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

  /** Returns the current jobs of a stream. */
  async jobs(owner: Owner, name: string): Promise<readonly JobStatus[]> {
    const stream = await this.get(owner, name);
    const { database } = this.#options;
    const [offsets, workers] = await Promise.all([this.#offsets.read(database.db, stream), new StreamWorkerStore(database).list(stream)]);
    return jobStatuses({ stream, offsets, workers });
  }

  /** The log of a job, oldest line first. */
  async log(owner: Owner, name: string, job: string): Promise<readonly StreamLogLine[]> {
    const stream = await this.get(owner, name);
    if (!isJobOf(stream, job))
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

  /** Stops the jobs and deletes the stream. Unless forced, waits for batches being stored. */
  async delete(owner: Owner, name: string, { isForced }: { readonly isForced: boolean }): Promise<void> {
    const stream = await this.get(owner, name);
    await this.#stop(stream, { isForced }, async (transaction) => {
      // Another request may have deleted it while this one waited for its batches.
      if (!(await this.#streams.delete(transaction, stream.id))) throw new ServiceError('stream_not_found', name);
    });
  }

  /** Returns messages that could not be stored, in the order of arrival. */
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
   * Changes a stream so that its run may no longer write. Waits for batches being stored; a forced change terminates their
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
}
