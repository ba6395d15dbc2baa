import type { Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { castTo, joinSql, memberOf, NULL, SQL, textLiteral, type Sql } from '../../sql/sql.ts';
import type { CallContext, FunctionLowering, LoweredArgument } from '../lowering-types.ts';
import { toEngineRegex } from '../scalars/engine-regex.ts';
import { letExpression } from '../scalars/let-expression.ts';
import { packRecord } from '../scalars/pack-record.ts';
import { direct, guarded, ofConstants, quotedStart } from './function-parts.ts';

/**
 * Returns the captures of a regex that matches a whole text. The engine returns '' for no match, for a group that did not
 * participate and for an empty one: so the whole is another group, and an empty group is NULL.
 */
function matchGroups(args: readonly LoweredArgument[], shape: (groups: readonly Sql[], s: Sql) => Sql, orElse: (s: Sql) => Sql): Sql {
  const [text, pattern] = args;
  if (text === undefined || typeof pattern?.constant !== 'string') throw new Error('The groups of a regex need one that is constant.');
  const regex = toEngineRegex(pattern.constant);
  const names = Array.from({ length: countGroups(regex) + 1 }, (_, i) => `g${i}`);
  const extract = (s: Sql): Sql => SQL`regexp_extract(${s}, ${textLiteral(`^(${regex})$`)}, [${joinSql(names.map(textLiteral))}])`;
  return letExpression([text.sql], (s) =>
    letExpression([extract(s)], (x) => {
      const groups = names.slice(1).map((name) => SQL`nullif(${memberOf(x, name)}, '')`);
      const hasMatched = SQL`(${memberOf(x, 'g0')} <> '' OR (${s} = '' AND regexp_full_match('', ${textLiteral(regex)})))`;
      return SQL`CASE WHEN ${s} IS NULL THEN NULL WHEN ${hasMatched} THEN ${shape(groups, s)} ELSE ${orElse(s)} END`;
    }),
  );
}

/** Counts the capturing groups of a pattern: parentheses that are not in a class, not escaped, and not `(?:` or flags. */
export function countGroups(regex: string): number {
  const tokens = regex.matchAll(/\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\((?:\?P?<)?(?!\?)/g);
  return [...tokens].filter(([token]) => token.startsWith('(')).length;
}

/** A text for no group or one, a record for several. */
function parse(orElse: (call: CallContext, s: Sql) => Sql): FunctionLowering {
  return ofConstants((args, call) =>
    matchGroups(
      args,
      (groups, s) => shapeOf(call.type, groups, s),
      (s) => orElse(call, s),
    ),
  );
}

function shapeOf(type: Type, groups: readonly Sql[], s: Sql): Sql {
  return type.kind === 'RecordType' ? packRecord(type, groups) : (groups[0] ?? s);
}

/** Regular expressions. */
export const REGEX_LOWERINGS: Readonly<Record<string, FunctionLowering>> = {
  MATCHES: direct((text, pattern) => SQL`regexp_full_match(${text}, ${pattern})`),
  FIRST_MATCH: guarded(
    (_, text, pattern) => SQL`CASE WHEN regexp_matches(${text}, ${pattern}) THEN regexp_extract(${text}, ${pattern}) END`,
  ),
  GROUPS: ofConstants((args, call) =>
    matchGroups(
      args,
      (groups) => castTo(SQL`[${joinSql(groups)}]`, duckType(call.type)),
      () => NULL,
    ),
  ),
  PARSE: parse((call, s) => call.raiseText(SQL`concat(${quotedStart(s)}, ' does not match the regex')`, call.type)),
  TRY_PARSE: parse(() => NULL),
};
