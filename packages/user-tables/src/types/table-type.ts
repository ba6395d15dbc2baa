import { assertNever, createSourceText, parseType, printType } from '@svc/query-language';
import type { CollectionType, FieldType, Type } from '@svc/query-language';

/** The type of a table with its canonical text. */
export interface TableType {
  readonly type: CollectionType;
  readonly text: string;
}

/** PostgreSQL's maximum of columns. */
const MAX_FIELDS = 1600;
/** Maximum of fields to read, with those of nested records. */
const MAX_ALL_FIELDS = 2000;
/** Maximum of words and signs: a type is parsed on the event loop, which a million of them would block. */
const MAX_TOKENS = 10 * MAX_ALL_FIELDS;

/** Parses the type of a table; a fault is one sentence that ends in a position, `at 1:12`. */
export function parseTableType(text: string): TableType | { readonly problem: string } {
  // Each field has a colon.
  const fields = text.split(':', MAX_ALL_FIELDS + 2).length - 1;
  if (fields > MAX_ALL_FIELDS)
    return { problem: `a table has at most ${MAX_FIELDS} fields, found more than ${MAX_ALL_FIELDS} ${placeOf(text, 0)}` };
  const parsed = parseType(text, MAX_TOKENS);
  if ('diagnostics' in parsed) {
    const [first] = parsed.diagnostics;
    const span = first?.spans[0];
    return { problem: `${first?.message ?? 'no type'} ${placeOf(text, span?.start ?? 0)}` };
  }
  const { type } = parsed;
  const problem = problemOf(type);
  if (problem !== null) return { problem: `${problem} ${placeOf(text, text.length - text.trimStart().length)}` };
  // `problemOf` has looked.
  return { type: type as CollectionType, text: printType(type) };
}

function placeOf(text: string, offset: number): string {
  const { begin } = createSourceText(text).positionOf({ start: offset, end: offset });
  return `at ${begin.line}:${begin.column}`;
}

function problemOf(type: Type): string | null {
  if (type.kind !== 'CollectionType') return `the type of a table is a collection, found ${printType(type)}`;
  if (type.isNullable) return `the type of a table is a collection that is not nullable, found ${printType(type)}`;
  const unstorable = findUnstorable(type.element);
  if (unstorable !== null) return `a table cannot hold values of type ${printType(unstorable)}`;
  const { element } = type;
  if (element.kind === 'RecordType' && element.fields.length > MAX_FIELDS)
    return `a table has at most ${MAX_FIELDS} fields, found ${element.fields.length}`;
  return null;
}

/** Functions and regexes are not data. */
function findUnstorable(type: Type): Type | null {
  switch (type.kind) {
    case 'PrimitiveType':
      return type.name === 'regex' ? type : null;
    case 'AnyType':
      return null;
    case 'CollectionType':
      return findUnstorable(type.element);
    case 'RecordType':
      return type.fields.map((field: FieldType) => findUnstorable(field.type)).find((found) => found !== null) ?? null;
    case 'FunctionType':
    case 'ErrorType':
      return type;
    default:
      return assertNever(type);
  }
}
