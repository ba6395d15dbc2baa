import type { FieldType, Type } from '../../types/type.ts';
import { binary, bool, collectionOf, long, nullable, string, timestamp } from '../../types/types.ts';

const field = (name: string, type: Type): FieldType => ({ name, type });
const record = (...fields: readonly FieldType[]): Type => ({ kind: 'RecordType', fields, isNullable: false });

/** Result types of the read functions that do not depend on the source. */
export const FIXED_READ_TYPES: Readonly<Record<string, Type>> = {
  READ_TEXT: string,
  READ_LINES: collectionOf(string),
  READ_BINARY: binary,
  LS: collectionOf(string),
  LL: collectionOf(record(field('url', string), field('size', nullable(long)), field('modified', nullable(timestamp)))),
  DESCRIBE: record(
    field('format', string),
    field('comment', string),
    field('type', string),
    field('columns', collectionOf(record(field('col_name', nullable(string)), field('type', string), field('nullable', bool)))),
    field('is_collection', bool),
    field('sampled', bool),
  ),
};
