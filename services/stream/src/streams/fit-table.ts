import { isSameType, parseType, printType, type FieldType, type RecordType, type Type } from '@svc/query-language';

/** Why rows of a type do not go into a table; null where they do. A table may have more fields, if they are nullable. */
export function fitProblem(rowType: RecordType, tableType: string): string | null {
  const fields = fieldsOf(tableType);
  if (fields === null) return `the table holds ${tableType}, and not records`;
  for (const field of rowType.fields) {
    const found = fields.find(({ name }) => name === field.name);
    if (found === undefined) return `the table has no field ${field.name}`;
    if (!isSameType(found.type, field.type))
      return `the field ${field.name} is ${printType(found.type)} in the table, and ${printType(field.type)} in the transform`;
  }
  const missing = fields.find(({ name, type }) => !type.isNullable && !rowType.fields.some((field) => field.name === name));
  return missing === undefined ? null : `the transform has no field ${missing.name}`;
}

/** The fields of a table of records; null for any other table. */
function fieldsOf(tableType: string): readonly FieldType[] | null {
  const parsed = parseType(tableType);
  const type: Type | null = 'type' in parsed ? parsed.type : null;
  if (type?.kind !== 'CollectionType' || type.element.kind !== 'RecordType' || type.element.isNullable) return null;
  return type.element.fields;
}
