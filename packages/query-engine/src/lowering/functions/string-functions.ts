import { isShortText } from '@svc/query-language';

import { joinSql, NULL, SQL, textLiteral, verbatim, type Sql } from '../../sql/sql.ts';
import type { FunctionLowering, LoweredArgument } from '../lowering-types.ts';
import { contains } from '../scalars/comparable.ts';
import { letExpression, transformList } from '../scalars/let-expression.ts';
import {
  byType,
  direct,
  growing,
  guarded,
  joinTexts,
  knownWhenRun,
  limitedOutput,
  MAX_FOLDED,
  quotedStart,
  tryOr,
  typed,
  typeName,
} from './function-parts.ts';
import { countGroups } from './regex-functions.ts';

/** White space of Unicode. */
const WHITE_SPACE = textLiteral(
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
);

function pad(name: 'lpad' | 'rpad'): FunctionLowering {
  return guarded((call, text, length, fill) => {
    const filled = SQL`CASE WHEN ${length} <= 0 THEN '' WHEN ${fill} = '' THEN left(${text}, ${length})
      ELSE ${verbatim(name)}(${text}, ${knownWhenRun(call, length, SQL`${length} > ${MAX_FOLDED}`)}, ${fill}) END`;
    return limitedOutput(call, 'characters', (most) => SQL`${length} > ${most}`, filled);
  });
}

/** Positions before the first do not exist, but count towards the length, as in SQL. */
const substring = guarded((_, text, from, length) => {
  const start = SQL`greatest(CAST(${from} AS BIGINT), 1)`;
  if (length === undefined) return SQL`substring(${text}, ${start})`;
  return SQL`CASE WHEN ${length} < 0 THEN substring(${text}, ${start}) ELSE substring(${text}, ${start}, greatest(CAST(${length} AS BIGINT) + least(CAST(${from} AS BIGINT), 1) - 1, 0)) END`;
});

/** `$1` of a replacement is `\1` in the engine's. */
const replaceRegex: FunctionLowering = (args, call) => {
  const [text, pattern, by] = args;
  if (text === undefined || pattern === undefined || by === undefined) throw new Error('REPLACE needs three arguments.');
  const replace = typed((s, r, b) => SQL`regexp_replace(${s}, ${r}, ${b}, 'g')`);
  if (typeof by.constant === 'string') {
    const replacement = textLiteral(by.constant.replaceAll('\\', '\\\\').replace(/\$(\d)/g, '\\$1'));
    return replace([text, pattern, { ...by, sql: replacement }], call);
  }
  return letExpression([by.sql], (b) => {
    const replacement = SQL`regexp_replace(replace(${b}, '\\', '\\\\'), '\\$(\\d)', '\\\\\\1', 'g')`;
    const replaced = replace([text, pattern, { ...by, sql: replacement }], call);
    const count = typeof pattern.constant === 'string' ? countGroups(pattern.constant) : Infinity;
    if (count >= 9) return replaced;
    // The engine returns the text unchanged if a group does not exist.
    const fail = call.raiseText(SQL`concat(${quotedStart(b)}, ' names a group that the regex does not have')`, call.type);
    return SQL`CASE WHEN regexp_matches(${b}, ${textLiteral(`\\$[${count + 1}-9]`)}) THEN ${fail} ELSE ${replaced} END`;
  });
};

/** Size of REPLACE: one replacement per occurrence; for a regex, which may match anywhere, one per character. */
function replacedSize([text, what, by]: readonly LoweredArgument[]): Sql {
  const [t, w, b] = [text?.sql ?? NULL, what?.sql ?? NULL, by?.sql ?? NULL];
  if (what?.type.kind === 'PrimitiveType' && what.type.name === 'regex') return SQL`strlen(${t}) * (1 + strlen(${b})) + strlen(${b})`;
  return SQL`strlen(${t}) + (strlen(${t}) - strlen(replace(${t}, ${w}, ''))) // greatest(strlen(${w}), 1) * strlen(${b})`;
}

/** Size of MKSTRING: the texts, and a separator for each. */
function joinedSize([list, separator]: readonly LoweredArgument[]): Sql {
  const l = list?.sql ?? NULL;
  return SQL`coalesce(CAST(list_sum(${transformList(l, (e) => SQL`strlen(${e})`)}) AS BIGINT), 0) + len(${l}) * strlen(${separator?.sql ?? NULL})`;
}

/** Maximum number of pairs of bytes that LEVENSHTEIN compares in one call, which cannot be interrupted. */
const MOST_PAIRS = 100_000_000;

/**
 * Maximum number of pairs of bytes that a search compares in one call, at worst a second's work, which cannot be
 * interrupted. The searched text is mostly a short constant, which needs no check.
 */
const MOST_SEARCHED = 4_000_000_000;

/** Lowers a search of a text, which takes time proportional to the product of both lengths for repetitive texts. */
function search(places: { readonly text: number; readonly what: number }, found: FunctionLowering): FunctionLowering {
  return (args, call) => {
    const [text, what] = [args[places.text], args[places.what]];
    if (text === undefined || what === undefined || isShortText(what.constant)) return found(args, call);
    return letExpression(
      args.map((arg) => arg.sql),
      (...names) => {
        const tooLong = SQL`strlen(${names[places.text] ?? NULL}) * strlen(${names[places.what] ?? NULL}) > ${MOST_SEARCHED}`;
        const message = `${call.functionName} would search a text for one that is too long: their lengths multiplied are more than ${MOST_SEARCHED}`;
        const bound = args.map((arg, i) => ({ ...arg, sql: names[i] ?? arg.sql }));
        return SQL`CASE WHEN ${tooLong} THEN ${call.raise(message, call.type)} ELSE ${found(bound, call)} END`;
      },
    );
  };
}

/** Texts and their positions count code points. */
export const STRING_LOWERINGS: Readonly<Record<string, FunctionLowering>> = {
  CONCAT: direct((...texts) => SQL`concat(${joinSql(texts)})`),
  LENGTH: typed((text) => SQL`length(${text})`),
  UPPER: direct((text) => SQL`upper(${text})`),
  LOWER: direct((text) => SQL`lower(${text})`),
  CAPITALIZE: guarded((_, text) => SQL`concat(upper(left(${text}, 1)), substring(${text}, 2))`),
  INITCAP: guarded((_, text) => {
    const words = SQL`regexp_extract_all(${text}, '[\\pL\\pM\\pN]+|[^\\pL\\pM\\pN]+')`;
    return SQL`array_to_string(${transformList(words, (word) => SQL`concat(upper(left(${word}, 1)), lower(substring(${word}, 2)))`)}, '')`;
  }),
  TRIM: direct((text) => SQL`trim(${text}, ${WHITE_SPACE})`),
  LTRIM: direct((text) => SQL`ltrim(${text}, ${WHITE_SPACE})`),
  RTRIM: direct((text) => SQL`rtrim(${text}, ${WHITE_SPACE})`),
  REPLACE: byType(1, (type) =>
    typeName(type) === 'regex'
      ? growing(replacedSize, replaceRegex)
      : // Around the size, which is found by the same search.
        search(
          { text: 0, what: 1 },
          growing(
            replacedSize,
            direct((text, what, by) => SQL`replace(${text}, ${what}, ${by})`),
          ),
        ),
  ),
  SUBSTRING: substring,
  LEFT: direct((text, count) => SQL`left(${text}, ${count})`),
  RIGHT: direct((text, count) => SQL`right(${text}, ${count})`),
  REVERSE: byType(0, (type) => direct((x) => (type.kind === 'CollectionType' ? SQL`list_reverse(${x})` : SQL`reverse(${x})`))),
  REPLICATE: guarded((call, text, count) => {
    const isLonger = (than: number): Sql => SQL`${count} > 0 AND length(${text}) * CAST(${count} AS BIGINT) > ${than}`;
    const repeated = SQL`repeat(${text}, CASE WHEN ${text} = '' THEN 0 ELSE ${knownWhenRun(call, count, isLonger(MAX_FOLDED))} END)`;
    return limitedOutput(call, 'characters', isLonger, repeated);
  }),
  SPLIT: search(
    { text: 0, what: 1 },
    guarded((_, text, separator) => SQL`string_split(${text}, ${separator})`),
  ),
  STARTS_WITH: direct((text, start) => SQL`starts_with(${text}, ${start})`),
  ENDS_WITH: direct((text, end) => SQL`ends_with(${text}, ${end})`),
  CONTAINS: byType(0, (type) =>
    type.kind === 'CollectionType'
      ? guarded((_, list, what) => contains(list, what, type.element))
      : // Of a text that it knows to be NULL the engine forgets the type, and a list may contain something, too.
        search(
          { text: 0, what: 1 },
          direct((text, what) => SQL`contains(CAST(${text} AS VARCHAR), CAST(${what} AS VARCHAR))`),
        ),
  ),
  CHARINDEX: search(
    { text: 1, what: 0 },
    typed((what, text) => SQL`strpos(${text}, ${what})`),
  ),
  COUNT_SUBSTRING: search(
    { text: 0, what: 1 },
    guarded(
      (_, text, what) =>
        SQL`CASE WHEN ${what} = '' THEN 0 ELSE CAST((strlen(${text}) - strlen(replace(${text}, ${what}, ''))) // strlen(${what}) AS INTEGER) END`,
    ),
  ),
  SPLIT_PART: search(
    { text: 0, what: 1 },
    guarded(
      (_, text, separator, position) => SQL`CASE WHEN ${position} = 0 THEN '' ELSE split_part(${text}, ${separator}, ${position}) END`,
    ),
  ),
  CONCAT_WS: direct((separator, ...texts) => SQL`concat_ws(${joinSql([separator, ...texts])})`),
  LPAD: pad('lpad'),
  RPAD: pad('rpad'),
  ASCII: direct((text) => SQL`ascii(${text})`),
  CHR: guarded(
    (call, code) =>
      SQL`CASE WHEN ${code} BETWEEN 0 AND 1114111 AND ${code} NOT BETWEEN 55296 AND 57343 THEN chr(${code})
      ELSE ${call.raiseText(SQL`concat('there is no character with the code point ', ${code})`, call.type)} END`,
  ),
  LEVENSHTEIN: guarded(
    (call, a, b) =>
      SQL`CASE WHEN strlen(${a}) * strlen(${b}) > ${MOST_PAIRS} THEN ${call.raise('LEVENSHTEIN would compare texts of more than 10000 bytes each', call.type)}
      ELSE CAST(levenshtein(${a}, ${b}) AS INTEGER) END`,
  ),
  URL_ENCODE: direct((text) => SQL`url_encode(${text})`),
  URL_DECODE: guarded((call, text) =>
    tryOr(SQL`url_decode(${text})`, call.raiseText(SQL`concat(${quotedStart(text)}, ' is no encoded UTF-8 text')`, call.type)),
  ),
  MKSTRING: growing(joinedSize, (args, call) => {
    const constant = args[1]?.constant;
    const isConstant = typeof constant === 'string';
    // A long constant has a variable's name here, which the engine does not take for a constant.
    return guarded(
      (_, texts, separator) => SQL`coalesce(${joinTexts(texts, isConstant ? textLiteral(constant) : separator, isConstant)}, '')`,
    )(args, call);
  }),
};
