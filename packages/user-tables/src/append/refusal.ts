import type { StoredTable } from '@svc/database';
import { ownValue } from '@svc/query-language';
import type { DatabaseError } from 'pg';

import { columnsOf } from '../table-rows.ts';
import { indexNumber } from '../types/table-columns.ts';

/** Reason why PostgreSQL rejects a row. */
export interface Refusal {
  /** Index within the COPY, from 0; null if unknown. */
  readonly row: number | null;
  /** Fields at fault: `field a`, `fields a, b`. Null for the whole row. */
  readonly fields: string | null;
  readonly problem: string;
}

/** Returns the refusal if the row caused the error. Null for any other failure. */
export function refusalOf(error: DatabaseError, table: StoredTable): Refusal | null {
  const code = error.code ?? '';
  const found = ownValue(PROBLEMS, code)?.(error, table) ?? (code.startsWith(DATA_EXCEPTION) ? dataProblem(error, table) : undefined);
  if (found === undefined) return null;
  // A row that fits no page fails with the others of its batch, and PostgreSQL names the last row that it read.
  const row = isOverPage(error) ? undefined : /COPY (?:t\d+|staged), line (\d+)/.exec(error.where ?? '')?.[1];
  return { row: row === undefined ? null : Number(row) - 1, ...found };
}

/** The refusal without its row, as a sentence. */
export function refusalText({ fields, problem }: Refusal): string {
  return fields === null ? problem : `${fields}: ${problem}`;
}

/** The class of the codes of values that a column cannot hold. */
const DATA_EXCEPTION = '22';

function dataProblem(error: DatabaseError, table: StoredTable): Omit<Refusal, 'row'> {
  return { fields: fieldOf(error, table), problem: `PostgreSQL cannot store it: ${error.message}` };
}

function textProblem(error: DatabaseError, table: StoredTable): Omit<Refusal, 'row'> {
  return { fields: fieldOf(error, table), problem: 'it holds text with U+0000, which PostgreSQL cannot store' };
}

/** The field of the column that PostgreSQL names; it decodes text before it cuts it into columns. */
function fieldOf({ where }: DatabaseError, table: StoredTable): string | null {
  return fieldNamed(/, column (c\d+)/.exec(where ?? '')?.[1], table);
}

function fieldNamed(column: string | undefined, table: StoredTable): string | null {
  const found = columnsOf(table).columns.find(({ name }) => name === column);
  return found === undefined ? null : `field ${found.field.name}`;
}

/** Returns whether a row is larger than a page; the message depends on the language of the server. */
function isOverPage({ routine }: DatabaseError): boolean {
  return routine === 'RelationGetBufferForTuple';
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
  // not_null_violation
  '23502': ({ column }, table) => ({ fields: fieldNamed(column, table), problem: 'missing or null, and its type is not nullable' }),
  // character_not_in_repertoire, untranslatable_character: for valid UTF-8, only U+0000
  '22021': textProblem,
  '22P05': textProblem,
  // statement_too_complex
  '54001': () => ({ fields: null, problem: 'it is nested too deeply' }),
  // program_limit_exceeded
  '54000': (error) => ({
    fields: null,
    problem: isOverPage(error)
      ? 'its values take more than the 8 kB of a row of PostgreSQL, where a long text or nested value takes 18 bytes'
      : 'it is too long for PostgreSQL, or one of its values for an index on it',
  }),
};
