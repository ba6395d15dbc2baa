import type { Type } from '@svc/query-language';

import { memberNames } from '../../representation/member-names.ts';
import { quoteIdentifier } from '../../representation/sql-text.ts';

/** A STRUCT of the values of a record's fields; the empty record is TRUE. */
export function packRecord(type: Type, values: readonly string[]): string {
  if (type.kind !== 'RecordType') throw new Error('a record has a record type');
  if (values.length === 0) return 'TRUE';
  const names = memberNames(type.fields);
  return `struct_pack(${values.map((sql, i) => `${quoteIdentifier(names[i] ?? '')} := ${sql}`).join(', ')})`;
}
