import type { CallContext } from '../lowering-types.ts';
import { bindOnce } from './bind-once.ts';

/** The SQL of the operands of LIKE. */
export interface LikeOperands {
  readonly operand: string;
  readonly pattern: string;
  /** Absent where no ESCAPE was written: then no character escapes. */
  readonly escape: string | null;
  readonly isCaseInsensitive: boolean;
}

/** `[I]LIKE … [ESCAPE …]`. NULL of NULL; an escape that is not one character, or ends the pattern, is raised. */
export function lowerLike(
  { operand, pattern, escape, isCaseInsensitive }: LikeOperands,
  call: Pick<CallContext, 'raise' | 'type'>,
): string {
  const operator = isCaseInsensitive ? 'ILIKE' : 'LIKE';
  if (escape === null) return `(${operand} ${operator} ${pattern})`;
  return bindOnce([operand, pattern, escape], (x, p, e) => {
    const match = `(${x} ${operator} ${p} ESCAPE ${e})`;
    const tail = `strlen(regexp_extract(${p}, concat('(?s)(', regexp_escape(${e}), '*)$'), 1)) // strlen(${e})`;
    return (
      `CASE WHEN ${x} IS NULL OR ${p} IS NULL OR ${e} IS NULL THEN NULL` +
      ` WHEN length(${e}) <> 1 THEN ${call.raise('ESCAPE must be one character', call.type)}` +
      ` WHEN ends_with(${p}, ${e}) AND ${tail} % 2 = 1 THEN ${call.raise('the pattern ends with its escape character', call.type)}` +
      ` ELSE ${match} END`
    );
  });
}
