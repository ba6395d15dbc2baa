import type { Type } from '@svc/query-language';

import type { RowPart } from '../representation/relation-layout.ts';
import { PRIMITIVE_TEXT } from './leaf-text.ts';
import { sql, text, type TextPart } from './sql-parts.ts';

/** The pieces of a line of CSV, without its end. Values are primitives; NULL is nothing, the empty string `""`. */
export function csvParts(cells: readonly RowPart[]): readonly TextPart[] {
  return cells.flatMap(({ field, expression }, i) => [text(i === 0 ? '' : ','), sql(cellText(expression, field.type))]);
}

/** The header line, without its end. */
export function csvHeader(names: readonly string[]): string {
  return names.map((name) => (name === '' || /[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',');
}

/** NULL for NULL: `concat` takes it as nothing. */
function cellText(x: string, type: Type): string {
  if (type.kind !== 'PrimitiveType') throw new Error(`A CSV cell cannot hold a ${type.kind}.`);
  const plain = PRIMITIVE_TEXT[type.name](x);
  switch (type.name) {
    case 'float':
    case 'double':
      return `CASE WHEN isfinite(${x}) THEN ${plain} WHEN isnan(${x}) THEN 'NaN' WHEN ${x} > 0 THEN 'Infinity' WHEN ${x} < 0 THEN '-Infinity' END`;
    case 'string':
    case 'regex': {
      const needsQuotes = [`','`, `'"'`, 'chr(10)', 'chr(13)'].map((mark) => `contains(${x}, ${mark})`).join(' OR ');
      return `CASE WHEN ${x} = '' THEN '""' WHEN ${needsQuotes} THEN concat('"', replace(${x}, '"', '""'), '"') ELSE ${x} END`;
    }
    default:
      return plain;
  }
}
