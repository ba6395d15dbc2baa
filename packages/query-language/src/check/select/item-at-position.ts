import type { Plan } from '../../plan/plan.ts';
import type { Expression } from '../../syntax/ast.ts';
import type { CheckContext } from '../check-context.ts';
import { report } from '../check-context.ts';

/** Resolves an integer literal in ORDER BY or GROUP BY to the item at that position, from 1 to `count`; null for other expressions. */
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
