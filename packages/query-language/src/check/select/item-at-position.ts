import type { Plan } from '../../plan/plan.ts';
import type { Expression } from '../../syntax/ast.ts';
import type { CheckContext } from '../check-context.ts';
import { report } from '../check-context.ts';

/** What a bare integer in ORDER BY or GROUP BY stands for, one of `count` items, counted from 1; null for any other expression. */
export function itemAtPosition(
  context: CheckContext,
  written: Expression,
  items: { readonly count: number; readonly at: (index: number) => Plan | null },
): Plan | null {
  if (written.kind !== 'NumberLiteral' || (written.type !== 'int' && written.type !== 'long')) return null;
  const position = Number(written.text);
  const found = position >= 1 && position <= items.count ? items.at(position - 1) : null;
  return found ?? report(context, 'no-such-item', written.span, written.text, items.count);
}
