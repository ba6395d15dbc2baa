import type { FieldType } from '@svc/query-language';

/** The structure that json_transform extracts the members of an object by: primitives as texts, others as JSON. */
export function membersStructure(fields: readonly FieldType[]): string {
  return JSON.stringify(Object.fromEntries(fields.map(({ name, type }) => [name, type.kind === 'PrimitiveType' ? 'VARCHAR' : 'JSON'])));
}
