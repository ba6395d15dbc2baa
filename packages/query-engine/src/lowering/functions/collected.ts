import { memberOf, NOTHING, SQL, type Sql } from '../../sql/sql.ts';
import type { AggregateRows, CallContext, LoweredArgument, SortDirection } from '../lowering-types.ts';
import { letExpression, transformList } from '../scalars/let-expression.ts';
import { sortedBy } from '../scalars/sort-key.ts';
import { first } from './aggregate-forms.ts';
import { joinTexts } from './function-parts.ts';

const ASCENDING: SortDirection = { isDescending: false, areNullsFirst: true };

/** The values as a list: sorted after grouping, which with many groups is cheaper than an ordered aggregate. */
export function collect(args: readonly LoweredArgument[], rows: AggregateRows): Sql {
  const [value] = args;
  if (rows.distinct !== NOTHING && value !== undefined)
    return sortedBy(SQL`list(DISTINCT ${value.sql})${rows.suffix}`, value.type, rows.distinctOrder ?? ASCENDING);
  return transformList(SQL`list_sort(list(struct_pack(n := ${orderOf(rows)}, v := ${first(args)}))${rows.suffix})`, (e) =>
    memberOf(e, 'v'),
  );
}

/** Returns the order of an ordered aggregate's rows. */
export function orderOf({ orderKey }: AggregateRows): Sql {
  if (orderKey === null) throw new Error('The order of the rows is not known.');
  return orderKey;
}

/** The texts as one. The separator is a constant, or that of any row. */
export function stringAgg(args: readonly LoweredArgument[], rows: AggregateRows, call: CallContext): Sql {
  const separator = separatorOf(args);
  const isConstant = typeof separator.constant === 'string';
  return joined(collect(args, rows), isConstant ? separator.sql : SQL`any_value(${separator.sql})${rows.suffix}`, isConstant, call);
}

/** The same of a list. */
export function stringAggOverList(list: Sql, args: readonly LoweredArgument[], call: CallContext): Sql {
  const separator = separatorOf(args);
  const texts = transformList(list, (e) => memberOf(e, 'a0'));
  if (typeof separator.constant === 'string') return joined(texts, separator.sql, true, call);
  return joined(texts, SQL`list_extract(${transformList(list, (e) => memberOf(e, 'a1'))}, 1)`, false, call);
}

function separatorOf([, separator]: readonly LoweredArgument[]): LoweredArgument {
  if (separator === undefined) throw new Error('STRING_AGG needs a separator.');
  return separator;
}

/** Maximum number of bytes of the separators between a group's texts, which the engine accounts for itself. */
const MOST_BETWEEN = 67_108_864;

/** The texts of a list with a separator between them, which any of its rows has; NULL of no texts. */
function joined(texts: Sql, separator: Sql, isConstant: boolean, call: CallContext): Sql {
  const tooLong = (list: Sql, by: Sql): Sql =>
    isConstant
      ? NOTHING
      : SQL`WHEN len(${list}) * strlen(${by}) > ${MOST_BETWEEN} THEN ${call.raise('STRING_AGG would make more than 64 MB', call.type)} `;
  return letExpression(
    isConstant ? [texts] : [texts, separator],
    (list, by = separator) =>
      SQL`CASE ${tooLong(list, by)}WHEN list_count(${list}) > 0 AND ${by} IS NOT NULL THEN ${joinTexts(list, by, isConstant)} END`,
  );
}
