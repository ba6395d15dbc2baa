import type { Type } from '@svc/query-language';

import { fixedSize } from '../../analysis/long-values.ts';
import { memberParts } from '../../representation/relation-layout.ts';
import { numberLiteral, operatorTree, SQL, type Sql } from '../../sql/sql.ts';
import { transformList } from './let-expression.ts';

/** SQL of the bytes that a value has, about; 0 for NULL. `value` is repeated. */
export function sizeSql(value: Sql, type: Type): Sql {
  const fixed = fixedSize(type);
  if (fixed !== null) return numberLiteral(fixed);
  return SQL`coalesce(${presentSize(value, type)}, 0)`;
}

function presentSize(value: Sql, type: Type): Sql {
  if (type.kind === 'CollectionType') {
    const fixed = fixedSize(type.element);
    // A numeric element has eight bytes.
    if (fixed !== null) return SQL`len(${value}) * ${type.element.kind === 'PrimitiveType' ? 8 : fixed}`;
    return SQL`CAST(list_sum(${transformList(value, (element) => SQL`${sizeSql(element, type.element)} + 16`)}) AS BIGINT)`;
  }
  if (type.kind === 'RecordType')
    return operatorTree(
      '+',
      memberParts(value, type.fields).map((part, i) => sizeSql(part.expression, type.fields[i]?.type ?? type)),
    );
  if (type.kind === 'PrimitiveType' && type.name === 'binary') return SQL`octet_length(${value})`;
  return SQL`strlen(CAST(${value} AS VARCHAR))`;
}
