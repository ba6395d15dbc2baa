import type { FieldType, Type } from '@svc/query-language';

import { memberNames } from '../representation/member-names.ts';
import { memberParts } from '../representation/relation-layout.ts';
import { quoteText } from '../representation/sql-text.ts';

/** Representation of values in a file format. */
export interface FileForm {
  /** The names of a record's fields, in order, unique without regard to case. */
  readonly names: (fields: readonly FieldType[]) => readonly string[];
  /** SQL of a primitive's representation, NULL for NULL; null if it is the value itself. */
  readonly leaf: (x: string, type: Type) => string | null;
}

/** Returns the SQL of a value's representation in a file, or null if it is the value itself. */
export function fileValue(x: string, type: Type, form: FileForm, depth = 0): string | null {
  switch (type.kind) {
    case 'CollectionType': {
      const element = `e${depth}`;
      const each = fileValue(element, type.element, form, depth + 1);
      return each === null ? null : `list_transform(${x}, lambda ${element}: ${each})`;
    }
    case 'RecordType': {
      if (type.fields.length === 0) return null;
      const names = form.names(type.fields);
      const values = memberParts(x, type.fields).map((part) => fileValue(part.expression, part.field.type, form, depth) ?? part);
      if (values.every((value) => typeof value !== 'string') && isSame(names, memberNames(type.fields))) return null;
      const members = values.map((value, i) => `${quoteText(names[i] ?? '')}: ${typeof value === 'string' ? value : value.expression}`);
      const rebuilt = `{${members.join(', ')}}`;
      return type.isNullable ? `CASE WHEN ${x} IS NOT NULL THEN ${rebuilt} END` : rebuilt;
    }
    case 'PrimitiveType':
    case 'AnyType':
    case 'FunctionType':
    case 'ErrorType':
      return form.leaf(x, type);
  }
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.every((name, i) => name === others[i]);
}
