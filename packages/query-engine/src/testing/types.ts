import type { CollectionType, FieldType, PrimitiveName, PrimitiveType, RecordType, Type } from '@svc/query-language';

/** Builders of types, for tests: `record({a: int, b: collection(string)})`, `nullable(int)`. */
export const primitive = (name: PrimitiveName): PrimitiveType => ({ kind: 'PrimitiveType', name, isNullable: false });
/** A collection of elements of a type. */
export const collection = (element: Type): CollectionType => ({ kind: 'CollectionType', element, isNullable: false });
const fieldsOf = (fields: Readonly<Record<string, Type>>): FieldType[] => Object.entries(fields).map(([name, type]) => ({ name, type }));
/** A record of fields by their names. */
export const record = (fields: Readonly<Record<string, Type>>): RecordType => ({
  kind: 'RecordType',
  fields: fieldsOf(fields),
  isNullable: false,
});
/** `any`. */
export const any: Type = { kind: 'AnyType', isNullable: false, isUndetermined: false };

/** The same type, with NULL. */
export function nullable(type: Type): Type {
  return type.kind === 'ErrorType' ? type : { ...type, isNullable: true };
}

/** A type as the language prints it, for tests to compare. */
export function printed(type: Type): string {
  const text = ((): string => {
    switch (type.kind) {
      case 'PrimitiveType':
        return type.name;
      case 'AnyType':
        return 'any';
      case 'CollectionType':
        return `collection(${printed(type.element)})`;
      case 'RecordType':
        return `record(${type.fields.map((field) => `${field.name}: ${printed(field.type)}`).join(', ')})`;
      case 'FunctionType':
      case 'ErrorType':
        return type.kind;
    }
  })();
  return type.isNullable ? `${text} nullable` : text;
}
