import type { PrimitiveName, PrimitiveType, RecordType, Type } from '@svc/query-language';

import { memberNames } from '../representation/member-names.ts';
import { memberParts, type RowPart } from '../representation/relation-layout.ts';
import { SQL, variableRef, type Sql } from '../sql/sql.ts';
import { anyText, floatingText, PRIMITIVE_TEXT, timestampText } from './leaf-text.ts';
import { concatParts, sql, text, type TextPart } from './sql-parts.ts';

/**
 * - `result`: NaN and the infinities are null.
 * - `words`: they are "NaN", "Infinity", "-Infinity".
 * - `stored`: so they are, and decimals are texts: the engine reads a number as a double.
 */
export type JsonForm = 'result' | 'words' | 'stored';

/** Returns the parts of a value's JSON text. Types determine the output; names of STRUCT members are used for access only. */
export function jsonParts(x: Sql, type: Type, form: JsonForm = 'result'): readonly TextPart[] {
  return partsAt(x, type, { form, depth: 0 });
}

/** The pieces of an object with these members. */
export function objectParts(members: readonly RowPart[], form: JsonForm = 'result'): readonly TextPart[] {
  return membersAt(members, { form, depth: 0 });
}

interface PrintPosition {
  readonly form: JsonForm;
  /** Number of enclosing collections, to give their lambdas unique names. */
  readonly depth: number;
}

function partsAt(x: Sql, type: Type, at: PrintPosition): readonly TextPart[] {
  if (type.kind !== 'PrimitiveType' && isPlainJson(type)) return [sql(orNull(SQL`CAST(to_json(${x}) AS VARCHAR)`, type))];
  switch (type.kind) {
    case 'PrimitiveType':
      return primitiveParts(x, type, at);
    case 'AnyType':
      return [sql(SQL`ifnull(${anyText(x)}, 'null')`)];
    case 'RecordType':
      return recordOrNull(x, type, at);
    case 'CollectionType': {
      const element = variableRef(`e${at.depth}`);
      const each = concatParts(partsAt(element, type.element, { ...at, depth: at.depth + 1 }));
      const list = concatParts([text('['), sql(SQL`array_to_string(list_transform(${x}, lambda ${element}: ${each}), ',')`), text(']')]);
      return [sql(whenNull(x, type, list))];
    }
    case 'FunctionType':
    case 'ErrorType':
      throw new Error(`A result cannot hold a ${type.kind}.`);
  }
}

function membersAt(members: readonly RowPart[], at: PrintPosition): readonly TextPart[] {
  const inside = members.flatMap(({ field, expression }, i) => [
    text(`${i === 0 ? '' : ','}${JSON.stringify(field.name)}:`),
    ...partsAt(expression, field.type, at),
  ]);
  return [text('{'), ...inside, text('}')];
}

function recordOrNull(x: Sql, type: RecordType, at: PrintPosition): readonly TextPart[] {
  const parts = type.fields.length === 0 ? [text('{}')] : membersAt(memberParts(x, type.fields), at);
  return type.isNullable ? [sql(whenNull(x, type, concatParts(parts)))] : parts;
}

function primitiveParts(x: Sql, type: PrimitiveType, { form }: PrintPosition): readonly TextPart[] {
  const plain = PRIMITIVE_TEXT[type.name](x);
  switch (form === 'stored' && type.name === 'decimal' ? 'quoted' : JSON_FORMS[type.name]) {
    case 'finite':
      return [
        sql(form !== 'result' ? orNull(floatingText(x, plain, '"'), type) : SQL`CASE WHEN isfinite(${x}) THEN ${plain} ELSE 'null' END`),
      ];
    case 'escaped':
      return [sql(orNull(SQL`CAST(to_json(${plain}) AS VARCHAR)`, type))];
    case 'quoted':
      return type.isNullable ? [sql(whenNull(x, type, SQL`concat('"', ${plain}, '"')`))] : [text('"'), sql(plain), text('"')];
    case 'timestamp':
      return [sql(orNull(timestampText(x, '"'), type))];
    case 'bare':
      return [sql(orNull(plain, type))];
  }
}

/**
 * JSON form of a primitive's text: unchanged, null if not finite, quoted (a timestamp includes its quotes, which is faster),
 * or escaped.
 */
const JSON_FORMS = {
  byte: 'bare',
  short: 'bare',
  int: 'bare',
  long: 'bare',
  decimal: 'bare',
  bool: 'bare',
  float: 'finite',
  double: 'finite',
  string: 'escaped',
  regex: 'escaped',
  date: 'quoted',
  time: 'quoted',
  timestamp: 'timestamp',
  interval: 'quoted',
  binary: 'quoted',
} as const satisfies Record<PrimitiveName, 'bare' | 'finite' | 'quoted' | 'timestamp' | 'escaped'>;

/** For an expression that is NULL if the value is. */
function orNull(expression: Sql, type: Type): Sql {
  return type.isNullable ? SQL`ifnull(${expression}, 'null')` : expression;
}

/** For an expression that hides NULL, as concat does. */
function whenNull(x: Sql, type: Type, expression: Sql): Sql {
  return type.isNullable ? SQL`CASE WHEN ${x} IS NULL THEN 'null' ELSE ${expression} END` : expression;
}

const PLAIN_NAMES: ReadonlySet<string> = new Set(['byte', 'short', 'int', 'long', 'bool', 'string']);

/**
 * Returns whether the engine's own JSON is identical: the type contains only integers, booleans and strings, and its member
 * names are those of the fields.
 */
export function isPlainJson(type: Type): boolean {
  if (type.kind === 'PrimitiveType') return PLAIN_NAMES.has(type.name);
  if (type.kind === 'CollectionType') return isPlainJson(type.element);
  if (type.kind !== 'RecordType' || type.fields.length === 0) return false;
  const names = memberNames(type.fields);
  return type.fields.every((field, i) => names[i] === field.name && isPlainJson(field.type));
}
