import type { PrimitiveName, Type } from '@svc/query-language';
import { isFloating } from '@svc/query-language';

import { jsonParts } from '../../results/json-text.ts';
import { floatingText, PRIMITIVE_TEXT } from '../../results/leaf-text.ts';
import { concatParts } from '../../results/sql-parts.ts';
import { castTo, SQL, type Sql } from '../../sql/sql.ts';
import { letExpression } from './let-expression.ts';

/** The JSON text of a value, as results print it; NULL of NULL. */
export function lowerJsonText(sql: Sql, type: Type): Sql {
  return letExpression([sql], (x) => SQL`CASE WHEN ${x} IS NOT NULL THEN ${concatParts(jsonParts(x, type))} END`);
}

/** A value as `any`: its JSON; NaN and the infinities, which JSON does not have, are NULL. */
export function lowerToAny(sql: Sql, type: Type): Sql {
  const text = lowerJsonText(sql, type);
  return castTo(isFloating(type) ? SQL`nullif(${text}, 'null')` : text, 'JSON');
}

/** The text of a primitive that always has one: all but binary. `x` may be repeated; NULL of NULL. */
export function primitiveText(x: Sql, name: Exclude<PrimitiveName, 'binary'>): Sql {
  const text = PRIMITIVE_TEXT[name](x);
  return name === 'float' || name === 'double' ? floatingText(x, text) : text;
}

/** Returns the text of an `any`: a string's own, the JSON of other values; NULL for NULL and JSON null. */
export function anyText(x: Sql): Sql {
  return SQL`CASE WHEN json_type(${x}) = 'VARCHAR' THEN json_extract_string(${x}, '$') WHEN json_type(${x}) <> 'NULL' THEN CAST(${x} AS VARCHAR) END`;
}
