import type { StoredIndex } from '@svc/database';

import type { TableColumn, TableColumns } from './table-columns.ts';

/** A requested index: a field, fields, or fields with a name and uniqueness. */
export type WantedIndex =
  | string
  | readonly string[]
  | { readonly fields: readonly string[]; readonly name?: string | undefined; readonly unique?: boolean | undefined };

const FIELD_NAMES = { type: 'array', items: { type: 'string' }, maxItems: 1600 } as const;

/** JSON Schema of the indexes that a request wants for a table: an array of `WantedIndex`. */
export const INDEXES_SCHEMA = {
  type: 'array',
  default: [],
  maxItems: 64,
  items: {
    anyOf: [
      { type: 'string', description: 'A field.' },
      { ...FIELD_NAMES, description: 'Fields.' },
      {
        type: 'object',
        additionalProperties: false,
        required: ['fields'],
        properties: { fields: FIELD_NAMES, name: { type: 'string' }, unique: { type: 'boolean', default: false } },
      },
    ],
  },
} as const;

/** A fault of a table's indexes. */
export interface IndexProblem {
  readonly code: 'index_invalid' | 'table_not_indexable';
  readonly problem: string;
}

/** The most fields of an index: a limit of PostgreSQL. */
export const MAX_INDEX_FIELDS = 32;

/** Validates the indexes of a table; returns them, or the first fault. */
export function readIndexes(wanted: readonly WantedIndex[], { kind, columns }: TableColumns): readonly StoredIndex[] | IndexProblem {
  if (wanted.length > 0 && kind === 'value')
    return { code: 'table_not_indexable', problem: 'Only a table of records can have indexes: this one has no fields.' };
  const indexes: StoredIndex[] = [];
  for (const [i, each] of wanted.entries()) {
    const index = normalForm(each);
    const problem = problemOf(index, columns) ?? repetitionOf(index, indexes);
    if (problem !== null) return { code: 'index_invalid', problem: `indexes[${i}]: ${problem}` };
    indexes.push(index);
  }
  return indexes;
}

function normalForm(wanted: WantedIndex): StoredIndex {
  if (typeof wanted === 'string') return { name: null, fields: [wanted], unique: false };
  if ('fields' in wanted) return { name: wanted.name ?? null, fields: wanted.fields, unique: wanted.unique ?? false };
  return { name: null, fields: wanted, unique: false };
}

function problemOf({ name, fields }: StoredIndex, columns: readonly TableColumn[]): string | null {
  if (name === '') return 'the name of an index is not empty';
  if (fields.length === 0) return 'an index has at least one field';
  if (fields.length > MAX_INDEX_FIELDS) return `an index has at most ${MAX_INDEX_FIELDS} fields, found ${fields.length}`;
  for (const [i, field] of fields.entries()) {
    if (fields.indexOf(field) !== i) return `the field ${JSON.stringify(field)} stands in it twice`;
    const column = columns.find((candidate) => candidate.field.name === field);
    if (column === undefined) return `the table has no field ${JSON.stringify(field)}`;
    if (column.field.type.kind !== 'PrimitiveType')
      return `the field ${JSON.stringify(field)} holds nested values, and an index takes simple ones`;
  }
  return null;
}

function repetitionOf(index: StoredIndex, before: readonly StoredIndex[]): string | null {
  if (before.some(({ fields }) => JSON.stringify(fields) === JSON.stringify(index.fields)))
    return `there is an index on ${index.fields.map((field) => JSON.stringify(field)).join(', ')} already`;
  if (index.name !== null && before.some(({ name }) => name === index.name))
    return `there is an index with the name ${JSON.stringify(index.name)} already`;
  return null;
}
