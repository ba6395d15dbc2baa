import type { FieldType, Type } from '@svc/query-language';

import { memberNames } from '../representation/member-names.ts';
import { memberParts } from '../representation/relation-layout.ts';
import { joinSql, SQL, textLiteral, variableRef, type Sql } from '../sql/sql.ts';

/** Representation of values in a file format. */
export interface FileForm {
  /** The names of a record's fields, in order, unique without regard to case. */
  readonly names: (fields: readonly FieldType[]) => readonly string[];
  /** SQL of a primitive's representation, NULL for NULL; null if it is the value itself. */
  readonly leaf: (x: Sql, type: Type) => Sql | null;
}

/** Returns the SQL of a value's representation in a file, or null if it is the value itself. */
export function fileValue(x: Sql, type: Type, form: FileForm, depth = 0): Sql | null {
  switch (type.kind) {
    case 'CollectionType': {
      const element = variableRef(`e${depth}`);
      const each = fileValue(element, type.element, form, depth + 1);
      return each === null ? null : SQL`list_transform(${x}, lambda ${element}: ${each})`;
    }
    case 'RecordType': {
      if (type.fields.length === 0) return null;
      const names = form.names(type.fields);
      const parts = memberParts(x, type.fields);
      const values = parts.map(({ field, expression }) => fileValue(expression, field.type, form, depth));
      if (values.every((value) => value === null) && isSame(names, memberNames(type.fields))) return null;
      const members = parts.map(({ expression }, i) => SQL`${textLiteral(names[i] ?? '')}: ${values[i] ?? expression}`);
      const rebuilt = SQL`{${joinSql(members)}}`;
      return type.isNullable ? SQL`CASE WHEN ${x} IS NOT NULL THEN ${rebuilt} END` : rebuilt;
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
