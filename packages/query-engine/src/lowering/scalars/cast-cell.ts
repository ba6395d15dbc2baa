import { primitive, type Type } from '@svc/query-language';

import { fromText } from '../../readers/from-text.ts';
import { duckType } from '../../representation/duck-type.ts';
import type { CallContext } from '../lowering-types.ts';
import { letExpression } from './let-expression.ts';
import { misfitText, type ValuePath } from './value-path.ts';

/** Path of a part of a text, and its failure. */
export interface CellPlace {
  readonly path: ValuePath;
  readonly call: Pick<CallContext, 'raiseText'>;
}

/** Converts a text of CSV or XML, NULL for an absent one, to a type, like the readers of files. `sql` is evaluated once. */
export function castCell(sql: string, type: Type, { path, call }: CellPlace): string {
  return letExpression([sql], (x) => {
    const fails = call.raiseText(misfitText(path, type, `CASE WHEN ${x} IS NULL THEN 'nothing' ELSE concat('''', ${x}, '''') END`), type);
    const value = tried(x, type);
    if (type.isNullable) return `coalesce(${value}, CASE WHEN ${x} IS NOT NULL THEN ${fails} END)`;
    return `coalesce(${value}, ${fails})`;
  });
}

/** NULL if the text is not a value of the type. */
function tried(x: string, type: Type): string {
  if (type.kind === 'AnyType') return `to_json(${x})`;
  if (type.kind !== 'PrimitiveType') throw new Error(`A text cannot be a ${type.kind}.`);
  const value = fromText(x, { ...primitive(type.name), isNullable: true }, { format: 'csv', path: '', isLenient: true });
  return type.name === 'string' ? x : `CAST(${value} AS ${duckType(type)})`;
}
