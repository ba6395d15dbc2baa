import type { Transaction } from 'kysely';

import type { NamedObjectRow, Schema } from '../connection/schema.ts';

/** A name of a view or a table, as it was written. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
  readonly kind: NamedObjectRow['kind'];
}

/** Returns the case-folded name, for comparison. Names are ASCII. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

/** Reserves a name; false if a view or a table has it. Of two concurrent reservations, one waits for the other and then fails. */
export async function takeName(transaction: Transaction<Schema>, { namespace, name, kind }: ObjectName): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('named_objects')
    .values({ namespace, name_key: nameKey(name), name, kind })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Reserves a name, or locks the row of its holder until the transaction ends. 'held' is an object of the same kind and
 * spelling, 'taken' anything else. Conflicts are checked on all unique keys: if only the primary key were named, two
 * concurrent reservations could fail on the other one.
 */
export async function takeOrHoldName(transaction: Transaction<Schema>, object: ObjectName): Promise<'new' | 'held' | 'taken'> {
  for (;;) {
    if (await takeName(transaction, object)) return 'new';
    const held = await transaction
      .selectFrom('named_objects')
      .select(['name', 'kind'])
      .where('namespace', '=', object.namespace)
      .where('name_key', '=', nameKey(object.name))
      .forUpdate()
      .executeTakeFirst();
    // Without a row, another transaction freed the name in between, so that one of both got on.
    if (held) return held.name === object.name && held.kind === object.kind ? 'held' : 'taken';
  }
}

/** Releases a name of exactly this spelling and kind, which deletes the object; false if there is none. */
export async function freeName(transaction: Transaction<Schema>, { namespace, name, kind }: ObjectName): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('named_objects')
    .where('namespace', '=', namespace)
    .where('name_key', '=', nameKey(name))
    .where('name', '=', name)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
