import type { Type } from '@svc/query-language';

import { memberNames } from '../../representation/member-names.ts';
import { columnRef, joinSql, SQL, TRUE, type Sql } from '../../sql/sql.ts';

/** A STRUCT of the values of a record's fields; the empty record is TRUE. */
export function packRecord(type: Type, values: readonly Sql[]): Sql {
  if (type.kind !== 'RecordType') throw new Error('a record has a record type');
  if (values.length === 0) return TRUE;
  const names = memberNames(type.fields);
  return SQL`struct_pack(${joinSql(values.map((sql, i) => SQL`${columnRef(names[i] ?? '')} := ${sql}`))})`;
}
