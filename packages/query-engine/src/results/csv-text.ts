import type { PrimitiveName, Type } from '@svc/query-language';

import type { RowPart } from '../representation/relation-layout.ts';
import { joinSql, SQL, type Sql } from '../sql/sql.ts';
import { floatingText, PRIMITIVE_TEXT } from './leaf-text.ts';
import { sql, text, type TextPart } from './sql-parts.ts';

/** Returns the parts of a CSV line, without its ending. Values are primitives; NULL is empty, the empty string `""`. */
export function csvParts(cells: readonly RowPart[]): readonly TextPart[] {
  return cells.flatMap(({ field, expression }, i) => [text(i === 0 ? '' : ','), sql(cellText(expression, field.type))]);
}

/** The header line, without its end. */
export function csvHeader(names: readonly string[]): string {
  return names.map((name) => (name === '' || /[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',');
}

/** NULL for NULL, which `concat` skips. */
function cellText(x: Sql, type: Type): Sql {
  if (type.kind !== 'PrimitiveType') throw new Error(`A CSV cell cannot hold a ${type.kind}.`);
  return CELL_TEXT[type.name](x);
}

const CELL_TEXT = {
  ...PRIMITIVE_TEXT,
  float: floatCell('float'),
  double: floatCell('double'),
  string: stringCell,
  regex: stringCell,
} as const satisfies Record<PrimitiveName, (x: Sql) => Sql>;

function floatCell(name: 'float' | 'double'): (x: Sql) => Sql {
  return (x) => floatingText(x, PRIMITIVE_TEXT[name](x));
}

function stringCell(x: Sql): Sql {
  const needsQuotes = joinSql(
    [SQL`','`, SQL`'"'`, SQL`chr(10)`, SQL`chr(13)`].map((mark) => SQL`contains(${x}, ${mark})`),
    ' OR ',
  );
  return SQL`CASE WHEN ${x} = '' THEN '""' WHEN ${needsQuotes} THEN concat('"', replace(${x}, '"', '""'), '"') ELSE ${x} END`;
}
