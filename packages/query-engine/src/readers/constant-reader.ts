import type { Type } from '@svc/query-language';

import { quoteText } from '../representation/sql-text.ts';
import { fromJson } from './json-reading.ts';
import type { Reader } from './reader-sql.ts';

/** Creates a reader of a constant value, written as JSON: one text in the statement, however many rows it contains. */
export function constantReader(json: string, type: Type): Reader {
  const mode = { isTrusted: true, isLenient: false };
  const rowType = type.kind === 'CollectionType' ? type.element : type;
  const value = fromJson('f.j', rowType, { mode });
  const source =
    type.kind === 'CollectionType' ? `unnest(CAST(CAST(${quoteText(json)} AS JSON) AS JSON[]))` : `CAST(${quoteText(json)} AS JSON)`;
  return {
    sql: `SELECT ${value} AS c1 FROM (SELECT ${source} AS j) AS f`,
    layout: { kind: 'value', column: 'c1', type: rowType },
    isCollection: type.kind === 'CollectionType',
  };
}
