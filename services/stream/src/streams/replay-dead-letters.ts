import {
  DeadLetterStore,
  StreamOffsetStore,
  TableStore,
  type ClientTransaction,
  type Database,
  type DeadLetter,
  type StoredStream,
  type StoredTable,
} from '@svc/database';
import { ServiceError } from '@svc/errors';
import type { EnginePool, Message } from '@svc/query-engine';
import type { CompiledTransform } from '@svc/query-runtime';
import { gatherRows } from '@svc/user-tables';

import type { Inject } from '../jobs/injection.ts';
import { lettersOf, transformForLater, type GatherLater } from '../jobs/transform-batch.ts';

/** Dependencies of a replay. */
export interface ReplayWorld {
  readonly rows: Database;
  readonly engine: EnginePool;
  readonly transformTimeoutMillis: number;
  readonly inject: Inject;
}

/** Result of a replay. */
export interface Replayed {
  readonly replayed: number;
  readonly rows: number;
  readonly dead: number;
}

/** Letters transformed and stored at once; their contents are held in memory. */
const LETTERS_AT_ONCE = 200;

/**
 * Runs the transform of a stream over its dead letters again. The transform runs outside of any transaction; then row and
 * letter are exchanged in one, so that a letter is stored once, even with concurrent replays; one that fails again is kept
 * with its new reason. In a table that keeps the latest row of each key, a letter does not replace the row of a later message.
 */
export async function replayDeadLetters(
  world: ReplayWorld,
  { stream, transform, signal }: { readonly stream: StoredStream; readonly transform: CompiledTransform; readonly signal: AbortSignal },
): Promise<Replayed> {
  const letters = new DeadLetterStore();
  const total = { replayed: 0, rows: 0, dead: 0 };
  // A letter that fails again gets a new id; letters after the newest id are left to the next replay.
  const until = await letters.newestId(world.rows.db, stream);
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const page = await letters.list(world.rows.db, stream, { after, until, limit: LETTERS_AT_ONCE });
    const last = page.at(-1);
    if (last === undefined) return total;
    after = last.id;
    const done = await replayPage(world, { stream, transform, page, signal });
    total.replayed += done.replayed;
    total.rows += done.rows;
    total.dead += done.dead;
  }
}

interface Page {
  readonly stream: StoredStream;
  readonly transform: CompiledTransform;
  readonly page: readonly DeadLetter[];
  readonly signal: AbortSignal;
}

async function replayPage(world: ReplayWorld, { stream, transform, page, signal }: Page): Promise<Replayed> {
  const table = await new TableStore(world.rows).get(stream.namespace, stream.name);
  if (table === undefined || table.id !== stream.tableId) throw new ServiceError('stream_error', 'The table of the stream is gone.');
  const partitions: TransformedLetters[] = [];
  for (const [partition, group] of Map.groupBy(page, (letter) => letter.partition)) {
    const letters = group.toSorted((a, b) => a.offset - b.offset);
    partitions.push({ partition, letters, gather: await transformLetters(world, letters, { stream, transform, signal }) });
  }
  return world.rows.transaction(async (at) => {
    // Locked first: another replay waits here. Letters that it has taken, or that were removed meanwhile, are gone and not stored.
    const ids = page.map(({ id }) => id);
    const taken = new Set(await new DeadLetterStore().take(at.transaction, ids));
    const total = { replayed: taken.size, rows: 0, dead: 0 };
    for (const transformed of partitions) {
      const done = await storeLetters(at, { stream, table, fields: transform.rowType.fields.map(({ name }) => name), taken }, transformed);
      total.rows += done.rows;
      total.dead += done.dead;
    }
    return total;
  });
}

interface TransformedLetters {
  readonly partition: number;
  /** In the order of offsets. */
  readonly letters: readonly DeadLetter[];
  readonly gather: GatherLater;
}

async function transformLetters(
  { engine, transformTimeoutMillis: timeoutMillis, inject }: ReplayWorld,
  letters: readonly DeadLetter[],
  { stream, transform, signal }: Omit<Page, 'page'>,
): Promise<GatherLater> {
  await inject('before-transform');
  const caller = { subject: stream.subject, namespace: stream.namespace, scopes: [] };
  return transformForLater({ engine, transform, caller, timeoutMillis }, letters.map(toMessage), signal);
}

interface LetterTarget {
  readonly stream: StoredStream;
  readonly table: StoredTable;
  /** The fields of the rows. */
  readonly fields: readonly string[];
  /** The ids of the letters that this transaction has taken; no others are stored. */
  readonly taken: ReadonlySet<number>;
}

async function storeLetters(
  at: ClientTransaction,
  { stream, table, fields, taken }: LetterTarget,
  { partition, letters, gather }: TransformedLetters,
): Promise<Pick<Replayed, 'rows' | 'dead'>> {
  const own = letters.filter(({ id }) => taken.has(id));
  if (own.length === 0) return { rows: 0, dead: 0 };
  const rows = gatherRows(table, { fields, topicId: stream.topicId, partition, isReplay: true });
  const batch = gather(rows, (index) => taken.has(letters[index]?.id ?? -1));
  const { transaction } = at;
  const store = new DeadLetterStore();
  const forgotten = await store.forgetRemoved(transaction, stream, { partition, removals: rows.removals });
  const stored = await rows.store(at);
  const bad = lettersOf(batch, stored);
  await store.keep(transaction, stream, bad);
  const settled = own.length - bad.length + forgotten;
  await new StreamOffsetStore().countReplay(transaction, stream, { partition, rows: stored.rows, dead: settled });
  return { rows: stored.rows, dead: bad.length };
}

function toMessage({ key, value, topic, partition, offset, timestampMillis, timestampType }: DeadLetter): Message {
  return { key, value, topic, partition, offset: BigInt(offset), timestampMillis, timestampType };
}
