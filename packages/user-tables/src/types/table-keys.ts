import { printType, type PrimitiveName, type Type } from '@svc/query-language';

import type { TableColumns } from './table-columns.ts';
import { MAX_INDEX_FIELDS } from './table-indexes.ts';

/** Types without keys: PostgreSQL treats different values as equal, or tables cannot store them. */
const NO_KEYS: ReadonlySet<PrimitiveName> = new Set(['interval', 'regex']);

/** Returns why fields cannot be the key of a table, as a sentence that names the field; null for a valid key. */
export function keyProblem(keyFields: readonly string[], { columns }: TableColumns): string | null {
  if (keyFields.length > MAX_INDEX_FIELDS) return `a key has at most ${MAX_INDEX_FIELDS} fields, found ${keyFields.length}`;
  for (const [i, field] of keyFields.entries()) {
    const column = columns.find((candidate) => candidate.field.name === field);
    if (column === undefined) return `the table has no field ${JSON.stringify(field)}`;
    if (keyFields.indexOf(field) !== i) return `the field ${JSON.stringify(field)} stands in it twice`;
    const { type } = column.field;
    if (!canBeKey(type)) return `the field ${JSON.stringify(field)} is ${printType(type)}, which cannot be compared as a key`;
  }
  return null;
}

function canBeKey(type: Type): boolean {
  return type.kind === 'PrimitiveType' && !NO_KEYS.has(type.name);
}
