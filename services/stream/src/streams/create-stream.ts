import { randomUUID } from 'node:crypto';

import {
  CatalogStore,
  isLockTimeout,
  StreamOffsetStore,
  StreamStore,
  TableStore,
  type Database,
  type NewStream,
  type StoredTable,
  type StreamSettings,
} from '@svc/database';
import { ServiceError } from '@svc/errors';
import type { NetworkGuard } from '@svc/network-guard';
import type { RecordType } from '@svc/query-language';
import { createRows, missingIndexes } from '@svc/user-tables';
import type { Vault } from '@svc/vault';

import { indexDetail } from '../jobs/index-job.ts';
import type { BrokerAddress } from '../kafka/broker-address.ts';
import { findTopic } from '../kafka/find-topic.ts';
import { isKafkaProblem } from '../kafka/kafka-problem.ts';
import type { TopicMetadata } from '../kafka/topic-metadata.ts';
import { passwordBinding } from './broker-of-stream.ts';
import { fitTable } from './fit-table.ts';
import { readWantedTable, type TableWishes, type WantedTable } from './wanted-table.ts';

/** The owner of a stream, on whose behalf its transform runs. */
export interface Owner {
  readonly namespace: string;
  readonly subject: string;
}

/** A stream to create. */
export interface StreamPost extends TableWishes {
  readonly address: BrokerAddress;
  readonly topic: string;
  readonly transform: string;
  readonly intervalMillis: number;
  readonly location: string | null;
}

/** Dependencies of stream creation. */
export interface CreationWorld {
  readonly database: Database;
  readonly guard: NetworkGuard;
  readonly vault: Pick<Vault, 'seal'>;
}

/** A stream to create, with validated name and transform. */
export interface StreamCreation {
  readonly owner: Owner;
  readonly name: string;
  readonly post: StreamPost;
  readonly rowType: RecordType;
}

/** Creates the table of a stream, or adapts an existing one, and starts the stream. Of several concurrent calls one succeeds. */
export async function createStream(world: CreationWorld, creation: StreamCreation): Promise<void> {
  const { owner, name, post, rowType } = creation;
  const { namespace } = owner;
  if (post.location !== null)
    throw new ServiceError('bad_request', 'location: tables at a place of their own are not supported yet; leave it out, or null.');
  const wanted = readWantedTable(post, rowType);
  const topic = await findTopicOf(world, post);
  const holder = await new StreamStore(world.database).holderOf(namespace, name);
  if (holder !== undefined) throw taken(name, holder);
  const { type, indexes } = wanted;
  await new TableStore(world.database).insertIfAbsent({ namespace, name, type, indexes, location: null }, createRows);
  try {
    await start(world, creation, { wanted, topic });
  } catch (thrown) {
    if (!isLockTimeout(thrown)) throw thrown;
    throw new ServiceError('stream_error', `Table ${JSON.stringify(name)} is in use, and so it cannot be changed now: try again.`, {
      cause: thrown,
    });
  }
}

async function findTopicOf({ guard }: CreationWorld, { address, topic }: StreamPost): Promise<TopicMetadata> {
  try {
    return await findTopic({ address, topic }, guard);
  } catch (thrown) {
    if (isKafkaProblem(thrown)) throw new ServiceError('stream_error', thrown.message, { cause: thrown });
    throw thrown;
  }
}

interface Found {
  readonly wanted: WantedTable;
  readonly topic: TopicMetadata;
}

/** The changes of the table and the start are one transaction: of two concurrent starts, one changes nothing. */
async function start(world: CreationWorld, { owner, name, post }: StreamCreation, { wanted, topic }: Found): Promise<void> {
  const { database, vault } = world;
  const { namespace } = owner;
  const { login } = post.address;
  const sealedPassword = login === null ? null : vault.seal(passwordBinding({ namespace, name }), login.password);
  const settings = settingsOf(post, wanted);
  await database.db.transaction().execute(async (transaction) => {
    const found = await new TableStore(database).lock(transaction, namespace, name);
    if (found === undefined) throw new ServiceError('stream_error', await describeTaken(database, namespace, name));
    const table = await fitTable({ database, transaction, namespace }, found, wanted);
    const place = { tableId: table.id, clusterId: topic.clusterId, topicId: topic.topicId };
    const offsets = await new StreamOffsetStore().read(transaction, place);
    const started = await new StreamStore(database).start(transaction, {
      ...{ ...owner, name, settings, sealedPassword, ...place, ...indexStateOf(table, wanted) },
      groupId: `svc-stream-${randomUUID()}`,
      rowsBefore: offsets.reduce((sum, { rowCount }) => sum + rowCount, 0),
      deadBefore: offsets.reduce((sum, { deadCount }) => sum + deadCount, 0),
    });
    if (started === undefined) throw taken(name, name);
  });
}

function settingsOf(post: StreamPost, { indexes }: WantedTable): StreamSettings {
  const { host, port, tls, login } = post.address;
  const { topic, transform, intervalMillis, retention, keyFields, evolve } = post;
  const shownLogin = login === null ? null : { mechanism: login.mechanism, username: login.username };
  const security = tls !== false || login !== null ? { tls, login: shownLogin } : null;
  return { host, port, topic, transform, intervalMillis, indexes, security, retention, keyFields, evolve };
}

function indexStateOf(table: StoredTable, { indexes }: WantedTable): Pick<NewStream, 'indexState' | 'indexDetail'> {
  if (indexes.length === 0) return { indexState: 'none', indexDetail: '' };
  const isComplete = missingIndexes(table, indexes).length === 0;
  return isComplete ? { indexState: 'running', indexDetail: indexDetail(indexes.length) } : { indexState: 'preparing', indexDetail: '' };
}

async function describeTaken(database: Database, namespace: string, name: string): Promise<string> {
  const { entries } = await new CatalogStore(database).findNames(namespace, [name]);
  const holder = entries.find(({ kind }) => kind !== 'package');
  const table = `Table ${JSON.stringify(name)}`;
  if (holder?.kind === 'view') return `${table} cannot be made: a view has this name.`;
  return holder === undefined || holder.name === name
    ? `${table} was deleted at this moment: create the stream again.`
    : `${table} cannot be made: the table ${JSON.stringify(holder.name)} differs from it only in case.`;
}

function taken(name: string, holder: string): ServiceError {
  const stream = `Stream ${JSON.stringify(name)}`;
  const problem = holder === name ? 'already exists' : `cannot be created: ${JSON.stringify(holder)} differs from it only in case`;
  return new ServiceError('stream_already_exists', `${stream} ${problem}.`);
}
