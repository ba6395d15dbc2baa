import { NULL, SQL, type Sql } from '../../sql/sql.ts';
import type { LoweredArgument } from '../lowering-types.ts';
import { transformList } from '../scalars/let-expression.ts';
import { sizeSql, sumSql } from '../sizes/size-sql.ts';

/** SQL of the maximum number of bytes of a call's result; arguments may be repeated. */
type CallSize = (args: readonly LoweredArgument[]) => Sql;

const sizes = (args: readonly LoweredArgument[]): readonly Sql[] => args.map(({ sql, type }) => sizeSql(sql, type));

const times =
  (factor: number): CallSize =>
  (args) =>
    SQL`(${sumSql(sizes(args))}) * ${factor}`;

/** Size of REPLACE: one replacement per occurrence; for a regex, which may match anywhere, one per character. */
const replaced: CallSize = ([text, what, by]) => {
  const [t, w, b] = [text?.sql ?? NULL, what?.sql ?? NULL, by?.sql ?? NULL];
  if (what?.type.kind === 'PrimitiveType' && what.type.name === 'regex') return SQL`strlen(${t}) * (1 + strlen(${b})) + strlen(${b})`;
  return SQL`strlen(${t}) + (strlen(${t}) - strlen(replace(${t}, ${w}, ''))) // greatest(strlen(${w}), 1) * strlen(${b})`;
};

const joined: CallSize = ([list, separator]) => {
  const l = list?.sql ?? NULL;
  return SQL`coalesce(CAST(list_sum(${transformList(l, (e) => SQL`strlen(${e})`)}) AS BIGINT), 0) + len(${l}) * strlen(${separator?.sql ?? NULL})`;
};

/** Calls whose results may be longer than their arguments, besides generators. */
export const GROWTH: Readonly<Record<string, CallSize>> = {
  CONCAT: times(1),
  ZIP: times(1),
  REPLACE: replaced,
  MKSTRING: joined,
  TO_JSON: times(2),
  HEX: times(2),
  BASE64: times(2),
  URL_ENCODE: times(3),
  SPLIT: ([text]) => SQL`strlen(${text?.sql ?? NULL}) * 4`,
};
