import type { PrimitiveName, Type } from '@svc/query-language';

import type { RowPart } from '../representation/relation-layout.ts';
import { anyOf, castTo, SQL, textLiteral, type Sql } from '../sql/sql.ts';
import { jsonParts } from './json-text.ts';
import { anyText, PRIMITIVE_TEXT } from './leaf-text.ts';
import { concatParts, sql, text, type TextPart } from './sql-parts.ts';

/** The pieces of a row in the text format of PostgreSQL's COPY, without its end: cells between tabs, NULL as `\N`, nested values as JSON. */
export function copyParts(cells: readonly RowPart[]): readonly TextPart[] {
  return cells.flatMap(({ field, expression }, i) => [text(i === 0 ? '' : '\t'), sql(cellText(expression, field.type))]);
}

/** Also of a type that is not nullable: PostgreSQL then refuses a NULL, which `concat` would hide. */
function cellText(x: Sql, type: Type): Sql {
  if (type.kind === 'PrimitiveType') return SQL`ifnull(${CELL_TEXT[type.name](x)}, '\\N')`;
  if (type.kind === 'AnyType') return SQL`ifnull(${escapedJson(anyText(x))}, '\\N')`;
  const json = escapedJson(concatParts(jsonParts(x, { ...type, isNullable: false }, 'stored')));
  return SQL`CASE WHEN ${x} IS NULL THEN '\\N' ELSE ${json} END`;
}

const plainText = (x: Sql): Sql => castTo(x, 'VARCHAR');

/** Texts that PostgreSQL reads as the same value, cheaper than those of a result. */
const CELL_TEXT = {
  ...PRIMITIVE_TEXT,
  double: plainText,
  decimal: plainText,
  date: plainText,
  time: plainText,
  timestamp: plainText,
  string: escapedText,
  regex: escapedText,
  binary: (x) => SQL`('\\\\x' || hex(${x}))`,
} as const satisfies Record<PrimitiveName, (x: Sql) => Sql>;

/** Characters that COPY interprets, with their escapes. The backslash comes first, since the other escapes contain one. */
const ESCAPES = [
  [SQL`chr(92)`, '\\\\'],
  [SQL`chr(9)`, '\\t'],
  [SQL`chr(10)`, '\\n'],
  [SQL`chr(13)`, '\\r'],
] as const;

function escapedText(x: Sql): Sql {
  const [backslash, ...others] = ESCAPES;
  const contains = ([mark]: (typeof ESCAPES)[number]): Sql => SQL`contains(${x}, ${mark})`;
  const needsEscapes = anyOf(contains(backslash), ...others.map(contains));
  const escaped = ESCAPES.reduce((sofar, [mark, written]) => SQL`replace(${sofar}, ${mark}, ${textLiteral(written)})`, x);
  return SQL`CASE WHEN ${needsEscapes} THEN ${escaped} ELSE ${x} END`;
}

/** JSON without line breaks: a tab can stand between its tokens. */
function escapedJson(json: Sql): Sql {
  return SQL`replace(replace(${json}, chr(92), '\\\\'), chr(9), '\\t')`;
}
