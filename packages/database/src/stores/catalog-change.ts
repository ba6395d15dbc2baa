import type { Kysely, Transaction } from 'kysely';

import { isDeadlock } from '../connection/deadlock.ts';
import type { Schema } from '../connection/schema.ts';
import type { NamespaceStore } from './namespace-store.ts';

/** Work that belongs to a change: it is done in the change's own transaction, or not at all. */
export type WithinChange<Row> = (transaction: Transaction<Schema>, row: Row) => Promise<void>;

/** Parameters of every change of a namespace's catalogue. */
export interface CatalogChange {
  readonly db: Kysely<Schema>;
  readonly namespaces: NamespaceStore;
  readonly namespace: string;
  /** If given, the change is made only if it is false after the change, while no other one of the namespace is under way. */
  readonly closesCycle?: ((transaction: Transaction<Schema>) => Promise<boolean>) | undefined;
}

/** The text of a change would use itself, through texts that were stored after its check: nothing was changed. */
export interface CycleRefused {
  readonly kind: 'cyclic';
}

/** The transaction that a change was in deadlock with goes on meanwhile, and is rarely met again. */
const MOST_ATTEMPTS = 3;

/**
 * Runs a change in a transaction and raises the namespace's version with it. A result of undefined means that nothing
 * changed. The version is raised last: an object's row is always locked before the namespace's, so that two changes never
 * deadlock. Dropping rows may, with an index that is being built: PostgreSQL ends one of the two, and the change is run again.
 */
export async function changeCatalog<Answer>(
  { db, namespaces, namespace, closesCycle }: CatalogChange,
  change: (transaction: Transaction<Schema>) => Promise<Answer | undefined>,
): Promise<Answer | CycleRefused | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptChange({ db, namespaces, namespace, closesCycle }, change);
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !isDeadlock(error)) throw error;
    }
  }
}

async function attemptChange<Answer>(
  { db, namespaces, namespace, closesCycle }: CatalogChange,
  change: (transaction: Transaction<Schema>) => Promise<Answer | undefined>,
): Promise<Answer | CycleRefused | undefined> {
  try {
    return await db.transaction().execute(async (transaction) => {
      const answer = await change(transaction);
      if (answer === undefined) return undefined;
      await namespaces.raiseVersion(transaction, namespace);
      if (closesCycle !== undefined && (await closesCycle(transaction))) throw new Cyclic();
      return answer;
    });
  } catch (error) {
    if (error instanceof Cyclic) return { kind: 'cyclic' };
    throw error;
  }
}

/** Thrown to roll back a transaction; never leaves this file. */
class Cyclic extends Error {}
