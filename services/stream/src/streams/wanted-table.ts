import type { StoredIndex } from '@svc/database';
import { ServiceError } from '@svc/errors';
import { collectionOf, printType, type RecordType } from '@svc/query-language';
import {
  keyProblem,
  parseTableType,
  readIndexes,
  retentionProblem,
  tableColumns,
  type Retention,
  type TableColumns,
  type WantedIndex,
} from '@svc/user-tables';

/** Table settings of a stream. */
export interface TableWishes {
  readonly indexes: readonly WantedIndex[];
  /** Null keeps rows for ever. */
  readonly retention: Retention | null;
  /** Key fields, of which each value has one row; null keeps every row. */
  readonly keyFields: readonly string[] | null;
  /** True if fields that the table lacks are added. */
  readonly evolve: boolean;
}

/** The table that a stream requires. */
export interface WantedTable {
  readonly rowType: RecordType;
  /** Type of the table if it has to be created. */
  readonly type: string;
  readonly indexes: readonly StoredIndex[];
  readonly keyFields: readonly string[] | null;
  readonly evolve: boolean;
}

/** Validates the table settings of a stream. Throws stream_error, with a message that names the member and the field. */
export function readWantedTable({ indexes, retention, keyFields, evolve }: TableWishes, rowType: RecordType): WantedTable {
  const type = tableTypeOf(rowType);
  const columns = columnsOf(type);
  const read = readIndexes(indexes, columns);
  if ('problem' in read) throw new ServiceError('stream_error', read.problem);
  if (keyFields !== null) {
    const problem = keyProblem(keyFields, columns);
    if (problem !== null) throw new ServiceError('stream_error', `keyFields: ${problem}`);
    const unique = read.findIndex((index) => index.unique);
    if (unique !== -1)
      throw new ServiceError('stream_error', `indexes[${unique}]: a stream that upserts has no unique index but the one on its keyFields`);
  }
  const problem = retention === null ? null : retentionProblem(retention, columns);
  if (problem !== null) throw new ServiceError('stream_error', `retention.${problem}`);
  return { rowType, type, indexes: withRetentionIndex(read, retention), keyFields, evolve };
}

/** The type of the table that rows of a type go into. */
export function tableTypeOf(rowType: RecordType): string {
  const parsed = parseTableType(printType(collectionOf(rowType)));
  if ('problem' in parsed) throw new ServiceError('stream_error', `The transform cannot be used: ${parsed.problem}.`);
  return parsed.text;
}

function columnsOf(type: string): TableColumns {
  const parsed = parseTableType(type);
  if ('problem' in parsed) throw new Error(`the type of a table cannot be read: ${parsed.problem}`);
  return tableColumns(parsed.type);
}

/** Old rows are found by an index that begins with their timestamp. */
function withRetentionIndex(indexes: readonly StoredIndex[], retention: Retention | null): readonly StoredIndex[] {
  if (retention === null || indexes.some(({ fields }) => fields[0] === retention.field)) return indexes;
  return [...indexes, { name: null, fields: [retention.field], unique: false }];
}
