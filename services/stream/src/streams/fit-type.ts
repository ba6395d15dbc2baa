import {
  collectionOf,
  isSameType,
  nullable,
  parseType,
  printType,
  recordOf,
  type FieldType,
  type RecordType,
  type Type,
} from '@svc/query-language';

/** Returns why rows of a type do not fit a table; null if they do. The table may have further fields if they are nullable. */
export function fitProblem(rowType: RecordType, tableType: string): string | null {
  const fields = fieldsOf(tableType);
  if (fields === null) return notRecords(tableType);
  for (const field of rowType.fields) {
    const found = fieldNamed(fields, field.name);
    if (found === undefined) return `the table has no field ${field.name}`;
    const problem = typeProblem(found, field);
    if (problem !== null) return problem;
  }
  const missing = fields.find(({ name, type }) => !type.isNullable && fieldNamed(rowType.fields, name) === undefined);
  return missing === undefined ? null : `the transform has no field ${missing.name}`;
}

/**
 * Returns the type of a table extended by the fields that only the rows have: appended to its own, which stay unchanged. Or
 * the reason why that is impossible.
 */
export function widenedType(rowType: RecordType, tableType: string): { readonly type: string } | { readonly problem: string } {
  const fields = fieldsOf(tableType);
  if (fields === null) return { problem: notRecords(tableType) };
  for (const field of fields) {
    const found = fieldNamed(rowType.fields, field.name);
    const problem = found === undefined ? `the transform has no field ${field.name}, and fields are only added` : typeProblem(field, found);
    if (problem !== null) return { problem };
  }
  const added = rowType.fields.filter(({ name }) => fieldNamed(fields, name) === undefined);
  const required = added.find(({ type }) => !type.isNullable);
  if (required === undefined) return { type: printType(collectionOf(recordOf([...fields, ...added]))) };
  const { name, type } = required;
  return {
    problem: `the field ${name} is new and not nullable, and the rows of the table have no value for it: make it nullable, as in CAST(… AS ${printType(nullable(type))})`,
  };
}

function typeProblem(inTable: FieldType, inTransform: FieldType): string | null {
  if (isSameType(inTable.type, inTransform.type)) return null;
  return `the field ${inTable.name} is ${printType(inTable.type)} in the table, and ${printType(inTransform.type)} in the transform`;
}

function fieldNamed(fields: readonly FieldType[], wanted: string): FieldType | undefined {
  return fields.find(({ name }) => name === wanted);
}

function notRecords(tableType: string): string {
  return `the table holds ${tableType}, and not records`;
}

/** The fields of a table of records; null for any other table. */
function fieldsOf(tableType: string): readonly FieldType[] | null {
  const parsed = parseType(tableType);
  const type: Type | null = 'type' in parsed ? parsed.type : null;
  if (type?.kind !== 'CollectionType' || type.element.kind !== 'RecordType' || type.element.isNullable) return null;
  return type.element.fields;
}
