import type { Type } from '../../types/type.ts';
import { printType } from '../../types/types.ts';

/** Returns why a text of a format cannot hold a value of a type, or null. */
export function parsedTypeProblem(format: 'csv' | 'xml', type: Type): string | null {
  return format === 'csv' ? csvProblem(type) : xmlProblem(type);
}

/** Rows of cells. */
function csvProblem(type: Type): string | null {
  const row = type.kind === 'CollectionType' ? type.element : type;
  if (row.kind === 'ErrorType') return null;
  if (type.kind !== 'CollectionType' || row.kind !== 'RecordType' || row.isNullable)
    return `CSV is a collection of records, and no ${printType(type)}`;
  const field = row.fields.find(({ type: cell }) => cell.kind !== 'AnyType' && !isText(cell));
  return field === undefined ? null : `column ${field.name}: a cell cannot be ${printType(field.type)}`;
}

/** Checks that XML elements can hold the type: nested elements, where the type marks repetition. */
function xmlProblem(type: Type): string | null {
  if (type.kind === 'CollectionType') return xmlProblem(type.element);
  if (type.kind === 'RecordType') return type.fields.reduce<string | null>((problem, field) => problem ?? xmlProblem(field.type), null);
  if (type.kind === 'AnyType') return `what an element of XML is cannot be left open: ${printType(type)}`;
  return isText(type) ? null : `XML cannot hold ${printType(type)}`;
}

/** Returns whether the type can be written as text. The error type counts: it has been reported. */
function isText(type: Type): boolean {
  return type.kind === 'ErrorType' || (type.kind === 'PrimitiveType' && type.name !== 'regex');
}
