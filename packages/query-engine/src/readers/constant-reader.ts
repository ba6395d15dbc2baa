import type { Type } from '@svc/query-language';

import { quoteText } from '../representation/sql-text.ts';
import { fromJson, memberFromJson } from './json-reading.ts';
import { columnsReader, type Reader } from './reader-sql.ts';

/** Creates a reader of a constant value, written as JSON: one text in the statement, however many rows it contains. */
export function constantReader(json: string, type: Type): Reader {
  const mode = { isTrusted: true, isLenient: false };
  const isCollection = type.kind === 'CollectionType';
  const rowType = isCollection ? type.element : type;
  const source = isCollection ? `unnest(CAST(CAST(${quoteText(json)} AS JSON) AS JSON[]))` : `CAST(${quoteText(json)} AS JSON)`;
  const from = `(SELECT ${source} AS j) AS f`;
  if (rowType.kind === 'RecordType') {
    const columns = rowType.fields.map((field) => ({ field, expression: memberFromJson('f.j', field, { mode, path: field.name }) }));
    return columnsReader([{ from, columns }], isCollection);
  }
  const value = fromJson('f.j', rowType, { mode });
  return { sql: `SELECT ${value} AS c1 FROM ${from}`, layout: { kind: 'value', column: 'c1', type: rowType }, isCollection };
}
