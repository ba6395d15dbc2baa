import type { Type } from '@svc/query-language';

import { fixedSize } from '../../analysis/value-sizes.ts';
import { memberParts } from '../../representation/relation-layout.ts';
import { transformList } from '../scalars/let-expression.ts';

/** SQL of the bytes that a value has, about; 0 for NULL. `value` is repeated. */
export function sizeSql(value: string, type: Type): string {
  const fixed = fixedSize(type);
  if (fixed !== null) return String(fixed);
  return `coalesce(${presentSize(value, type)}, 0)`;
}

/** Prints a sum, in a balanced tree of parentheses: planning takes the engine time cubic in the length of a chain. */
export function sumSql(terms: readonly string[]): string {
  if (terms.length < 4) return terms.join(' + ');
  const middle = terms.length >> 1;
  return `(${sumSql(terms.slice(0, middle))}) + (${sumSql(terms.slice(middle))})`;
}

function presentSize(value: string, type: Type): string {
  if (type.kind === 'CollectionType') {
    const fixed = fixedSize(type.element);
    // A numeric element has eight bytes.
    if (fixed !== null) return `len(${value}) * ${type.element.kind === 'PrimitiveType' ? 8 : fixed}`;
    return `CAST(list_sum(${transformList(value, (element) => `${sizeSql(element, type.element)} + 16`)}) AS BIGINT)`;
  }
  if (type.kind === 'RecordType')
    return sumSql(memberParts(value, type.fields).map((part, i) => sizeSql(part.expression, type.fields[i]?.type ?? type)));
  if (type.kind === 'PrimitiveType' && type.name === 'binary') return `octet_length(${value})`;
  return `strlen(CAST(${value} AS VARCHAR))`;
}
