import type { Type } from '@svc/query-language';

import { valueOfText } from '../../readers/text-values.ts';
import { duckType } from '../../representation/duck-type.ts';
import { castTo, SQL, type Sql } from '../../sql/sql.ts';
import type { CallContext } from '../lowering-types.ts';
import { tryMode } from './cast-mode.ts';
import { castText } from './cast-primitive.ts';
import { letExpression } from './let-expression.ts';
import { misfitText, type ValuePath } from './value-path.ts';

/** Path of a part of a text, and its failure. */
export interface CellPlace {
  readonly path: ValuePath;
  readonly call: Pick<CallContext, 'raiseText'>;
}

/**
 * Converts a text of CSV or XML, NULL for an absent one, to a type, like the readers of files, but for numbers beyond
 * the range of their type, which fail. `sql` is evaluated once.
 */
export function castCell(sql: Sql, type: Type, { path, call }: CellPlace): Sql {
  return letExpression([sql], (x) => {
    const fails = call.raiseText(
      misfitText(path, type, SQL`CASE WHEN ${x} IS NULL THEN 'nothing' ELSE concat('''', ${x}, '''') END`),
      type,
    );
    const value = tried(x, type);
    if (type.isNullable) return SQL`coalesce(${value}, CASE WHEN ${x} IS NOT NULL THEN ${fails} END)`;
    return SQL`coalesce(${value}, ${fails})`;
  });
}

/** NULL if the text is not a value of the type. */
function tried(x: Sql, type: Type): Sql {
  if (type.kind === 'AnyType') return SQL`to_json(${x})`;
  if (type.kind !== 'PrimitiveType') throw new Error(`A text cannot be a ${type.kind}.`);
  if (type.name === 'string') return x;
  const isFloating = type.name === 'float' || type.name === 'double';
  return castTo(isFloating ? castText(x, type.name, tryMode) : valueOfText(type.name, { format: 'csv' })(x), duckType(type));
}
