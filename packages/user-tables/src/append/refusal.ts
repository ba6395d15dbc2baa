import type { StoredTable } from '@svc/database';
import { ownValue } from '@svc/query-language';
import type { DatabaseError } from 'pg';

import { indexNumber } from '../types/table-columns.ts';

/** Why PostgreSQL takes no row like this one. */
export interface Refusal {
  /** Counted from 0 within the COPY; null where nobody knows. */
  readonly row: number | null;
  /** The fields at fault: `field a`, `fields a, b`; null for the row as a whole. */
  readonly fields: string | null;
  readonly problem: string;
}

/** The refusal of a row, where it is the row that is at fault; null for any other failure. */
export function refusalOf(error: DatabaseError, table: StoredTable): Refusal | null {
  const found = ownValue(PROBLEMS, error.code ?? '')?.(error, table);
  if (found === undefined) return null;
  const row = /line (\d+)/.exec(error.where ?? '')?.[1];
  return { row: row === undefined ? null : Number(row) - 1, ...found };
}

/** The refusal without its row, as a sentence. */
export function refusalText({ fields, problem }: Refusal): string {
  return fields === null ? problem : `${fields}: ${problem}`;
}

const PROBLEMS: Readonly<Record<string, (error: DatabaseError, table: StoredTable) => Omit<Refusal, 'row'>>> = {
  // unique_violation
  '23505': ({ constraint }, { indexes }) => {
    const fields = indexes[indexNumber(constraint ?? '') - 1]?.fields ?? [];
    if (fields.length === 0) return { fields: null, problem: 'another row has the same values in the fields of a unique index' };
    const isOne = fields.length === 1;
    return {
      fields: `field${isOne ? '' : 's'} ${fields.join(', ')}`,
      problem: `another row has the same value${isOne ? '' : 's'}, and there is a unique index`,
    };
  },
  // program_limit_exceeded
  '54000': () => ({ fields: null, problem: 'it is too long for PostgreSQL, or one of its values for an index on it' }),
};
