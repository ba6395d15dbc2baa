import { SOURCE_COLUMNS } from '../change/keep-latest.ts';

/** SQL names of an upsert. */
export interface UpsertTarget {
  readonly rows: string;
  readonly columns: readonly string[];
  /** The columns that the rows have; the others become NULL. */
  readonly given: readonly string[];
  readonly keys: readonly string[];
  /** Updates rows only if they are of the same partition and have a smaller offset. */
  readonly isReplay: boolean;
}

/** Statements that store a range of rows. Their parameters, if any, are the removed keys and the offsets of the removals. */
export interface UpsertStatements {
  /** Creates the staging table, for the rest of the transaction. */
  readonly stage: string;
  readonly unstage: string;
  /** The place with its columns. */
  readonly staged: string;
  /** Removes rows stored by messages of a key before the range. In a replay it has parameters for topic and partition too. */
  readonly removeRows: string;
  /** Removes rows whose latest change is a removal in the range. */
  readonly removeStaged: string;
  readonly upsert: string;
}

const PLACE = 'pg_temp.staged';
const REMOVED = 'unnest($1::bytea[], $2::bigint[]) AS removed (key, at)';
const { topic: TOPIC, partition: PARTITION, offset: OFFSET, key: KEY } = SOURCE_COLUMNS;

/** Writes the statements of an upsert. */
export function upsertStatements({ rows, columns, given, keys, isReplay }: UpsertTarget): UpsertStatements {
  const all = [...columns, ...Object.values(SOURCE_COLUMNS)];
  const latest = `(SELECT DISTINCT ON (${keys.join(', ')}) * FROM ${PLACE} ORDER BY ${keys.join(', ')}, ${OFFSET} DESC) AS latest`;
  const isRemoved = `removed.key = latest.${KEY} AND removed.at > latest.${OFFSET}`;
  const isSameKey = keys.map((name) => `r.${name} = latest.${name}`).join(' AND ');
  const isOlder = (than: { readonly topic: string; readonly partition: string; readonly offset: string }): string =>
    isReplay ? `r.${TOPIC} = ${than.topic} AND r.${PARTITION} = ${than.partition} AND r.${OFFSET} < ${than.offset}` : 'true';
  const sourceOf = (row: string) => ({ topic: `${row}.${TOPIC}`, partition: `${row}.${PARTITION}`, offset: `${row}.${OFFSET}` });
  const removal = { topic: '$3::uuid', partition: '$4::integer', offset: 'removed.at' };
  return {
    stage: `CREATE TEMPORARY TABLE IF NOT EXISTS staged ON COMMIT DROP AS SELECT ${all.join(', ')} FROM ${rows} WITH NO DATA`,
    unstage: `TRUNCATE ${PLACE}`,
    staged: `${PLACE} (${[...given, ...Object.values(SOURCE_COLUMNS)].join(', ')})`,
    removeRows: `DELETE FROM ${rows} AS r USING ${REMOVED} WHERE r.${KEY} = removed.key AND ${isOlder(removal)}`,
    removeStaged: `
      DELETE FROM ${rows} AS r USING ${latest} JOIN ${REMOVED} ON ${isRemoved}
      WHERE ${isSameKey} AND ${isOlder(sourceOf('latest'))}`,
    // In key order, so that concurrent upserts do not deadlock.
    upsert: `
      INSERT INTO ${rows} AS r (${all.join(', ')})
      SELECT ${all.join(', ')} FROM ${latest}
      WHERE NOT EXISTS (SELECT FROM ${REMOVED} WHERE ${isRemoved})
      ORDER BY ${keys.join(', ')}
      ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${all.map((name) => `${name} = excluded.${name}`).join(', ')}
      WHERE ${isOlder(sourceOf('excluded'))}`,
  };
}
