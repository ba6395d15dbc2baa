import { SQL, textLiteral, type Sql } from '../../sql/sql.ts';
import type { CallContext } from '../lowering-types.ts';
import { letExpression } from './let-expression.ts';

/** The SQL of the operands of LIKE. */
export interface LikeOperands {
  readonly operand: Sql;
  readonly pattern: Sql;
  /** The text of a constant pattern. */
  readonly patternText?: string | undefined;
  /** Null without ESCAPE: no character escapes then. */
  readonly escape: Sql | null;
  readonly isCaseInsensitive: boolean;
}

/** `[I]LIKE … [ESCAPE …]`. NULL of NULL; an escape that is not one character, or ends the pattern, is raised. */
export function lowerLike(
  { operand, pattern, patternText, escape, isCaseInsensitive }: LikeOperands,
  call: Pick<CallContext, 'raise' | 'type'>,
): Sql {
  const operator = isCaseInsensitive ? SQL`ILIKE` : SQL`LIKE`;
  if (escape === null) {
    if (isLinear(patternText)) return SQL`(${operand} ${operator} ${pattern})`;
    return letExpression([operand, pattern], (x, p) => inEvenTime(x, p, { isCaseInsensitive, match: SQL`${x} ${operator} ${p}` }));
  }
  return letExpression([operand, pattern, escape], (x, p, e) => {
    const like = SQL`(${x} ${operator} ${p} ESCAPE ${e})`;
    const match = isLinear(patternText) ? like : inEvenTime(x, withoutEscapes(p, e), { isCaseInsensitive, match: like, escape: e });
    const tail = SQL`strlen(regexp_extract(${p}, concat('(?s)(', regexp_escape(${e}), '*)$'), 1)) // strlen(${e})`;
    return SQL`CASE WHEN ${x} IS NULL OR ${p} IS NULL OR ${e} IS NULL THEN NULL
      WHEN length(${e}) <> 1 THEN ${call.raise('ESCAPE must be one character', call.type)}
      WHEN ends_with(${p}, ${e}) AND ${tail} % 2 = 1 THEN ${call.raise('the pattern ends with its escape character', call.type)}
      ELSE ${match} END`;
  });
}

/** Placeholders of an escaped `%`, an escaped `_` and an escaped escape character: code points that are not characters. */
const [PERCENT, UNDERSCORE, ESCAPE] = ['\uFDD0', '\uFDD1', '\uFDD2'];

function withoutEscapes(pattern: Sql, escape: Sql): Sql {
  const marked = SQL`replace(${pattern}, concat(${escape}, ${escape}), ${textLiteral(ESCAPE)})`;
  const others = SQL`replace(replace(${marked}, concat(${escape}, '%'), ${textLiteral(PERCENT)}), concat(${escape}, '_'), ${textLiteral(UNDERSCORE)})`;
  return SQL`replace(${others}, ${escape}, '')`;
}

interface Matching {
  readonly isCaseInsensitive: boolean;
  /** In the syntax of the engine's LIKE. */
  readonly match: Sql;
  readonly escape?: Sql;
}

/**
 * For a pattern with `_`, the engine backtracks at each `%`: six of them take hours over some hundred characters, without
 * checking for interrupts. Such patterns become regular expressions, which take linear time.
 */
function inEvenTime(operand: Sql, pattern: Sql, { isCaseInsensitive, match, escape }: Matching): Sql {
  const fold = (sql: Sql): Sql => (isCaseInsensitive ? SQL`lower(${sql})` : sql);
  const wild = SQL`replace(replace(regexp_escape(${fold(pattern)}), '\\%', '.*'), '_', '.')`;
  const literal = SQL`replace(replace(${wild}, ${textLiteral(PERCENT)}, '%'), ${textLiteral(UNDERSCORE)}, '_')`;
  const regex = escape === undefined ? literal : SQL`replace(${literal}, ${textLiteral(ESCAPE)}, regexp_escape(${fold(escape)}))`;
  const isSlow = SQL`contains(${pattern}, '_') AND len(string_split(rtrim(${pattern}, '%'), '%')) > 2`;
  return SQL`(CASE WHEN ${isSlow} THEN regexp_full_match(${fold(operand)}, ${regex}, 's') ELSE ${match} END)`;
}

/** Returns whether the engine matches a constant pattern in linear time: without `_`, or with one `%` before its end. */
function isLinear(pattern: string | undefined): boolean {
  if (pattern === undefined) return false;
  return !pattern.includes('_') || pattern.replace(/(?<!%)%+$/, '').split('%').length <= 2;
}
