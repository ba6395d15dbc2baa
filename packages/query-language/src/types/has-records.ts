import type { Type } from './type.ts';

/** Returns whether values of a type are records, or collections of records, however deep. */
export function hasRecords(type: Type): boolean {
  return type.kind === 'RecordType' || (type.kind === 'CollectionType' && hasRecords(type.element));
}
