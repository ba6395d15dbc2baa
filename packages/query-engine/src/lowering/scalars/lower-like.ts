import type { CallContext } from '../lowering-types.ts';
import { letExpression } from './let-expression.ts';

/** The SQL of the operands of LIKE. */
export interface LikeOperands {
  readonly operand: string;
  readonly pattern: string;
  /** The text of a constant pattern. */
  readonly patternText?: string | undefined;
  /** Null without ESCAPE: no character escapes then. */
  readonly escape: string | null;
  readonly isCaseInsensitive: boolean;
}

/** `[I]LIKE … [ESCAPE …]`. NULL of NULL; an escape that is not one character, or ends the pattern, is raised. */
export function lowerLike(
  { operand, pattern, patternText, escape, isCaseInsensitive }: LikeOperands,
  call: Pick<CallContext, 'raise' | 'type'>,
): string {
  const operator = isCaseInsensitive ? 'ILIKE' : 'LIKE';
  if (escape === null) {
    if (isLinear(patternText)) return `(${operand} ${operator} ${pattern})`;
    return letExpression([operand, pattern], (x, p) => inEvenTime(x, p, { isCaseInsensitive, match: `${x} ${operator} ${p}` }));
  }
  return letExpression([operand, pattern, escape], (x, p, e) => {
    const like = `(${x} ${operator} ${p} ESCAPE ${e})`;
    const match = isLinear(patternText) ? like : inEvenTime(x, withoutEscapes(p, e), { isCaseInsensitive, match: like, escape: e });
    const tail = `strlen(regexp_extract(${p}, concat('(?s)(', regexp_escape(${e}), '*)$'), 1)) // strlen(${e})`;
    return (
      `CASE WHEN ${x} IS NULL OR ${p} IS NULL OR ${e} IS NULL THEN NULL` +
      ` WHEN length(${e}) <> 1 THEN ${call.raise('ESCAPE must be one character', call.type)}` +
      ` WHEN ends_with(${p}, ${e}) AND ${tail} % 2 = 1 THEN ${call.raise('the pattern ends with its escape character', call.type)}` +
      ` ELSE ${match} END`
    );
  });
}

/** Placeholders of an escaped `%`, an escaped `_` and an escaped escape character: code points that are not characters. */
const [PERCENT, UNDERSCORE, ESCAPE] = ['\uFDD0', '\uFDD1', '\uFDD2'];

function withoutEscapes(pattern: string, escape: string): string {
  const marked = `replace(${pattern}, concat(${escape}, ${escape}), '${ESCAPE}')`;
  const others = `replace(replace(${marked}, concat(${escape}, '%'), '${PERCENT}'), concat(${escape}, '_'), '${UNDERSCORE}')`;
  return `replace(${others}, ${escape}, '')`;
}

interface Matching {
  readonly isCaseInsensitive: boolean;
  /** In the syntax of the engine's LIKE. */
  readonly match: string;
  readonly escape?: string;
}

/**
 * For a pattern with `_`, the engine backtracks at each `%`: six of them take hours over some hundred characters, without
 * checking for interrupts. Such patterns become regular expressions, which take linear time.
 */
function inEvenTime(operand: string, pattern: string, { isCaseInsensitive, match, escape }: Matching): string {
  const fold = (sql: string): string => (isCaseInsensitive ? `lower(${sql})` : sql);
  const wild = `replace(replace(regexp_escape(${fold(pattern)}), '\\%', '.*'), '_', '.')`;
  const literal = `replace(replace(${wild}, '${PERCENT}', '%'), '${UNDERSCORE}', '_')`;
  const regex = escape === undefined ? literal : `replace(${literal}, '${ESCAPE}', regexp_escape(${fold(escape)}))`;
  const isSlow = `contains(${pattern}, '_') AND len(string_split(rtrim(${pattern}, '%'), '%')) > 2`;
  return `(CASE WHEN ${isSlow} THEN regexp_full_match(${fold(operand)}, ${regex}, 's') ELSE ${match} END)`;
}

/** Returns whether the engine matches a constant pattern in linear time: without `_`, or with one `%` before its end. */
function isLinear(pattern: string | undefined): boolean {
  if (pattern === undefined) return false;
  return !pattern.includes('_') || pattern.replace(/(?<!%)%+$/, '').split('%').length <= 2;
}
