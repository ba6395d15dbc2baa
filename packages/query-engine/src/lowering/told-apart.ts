import type { Plan } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

import type { LoweringContext } from './lowering-context.ts';
import { lowerValue } from './lower-value.ts';
import { holdsInterval } from './scalars/comparable.ts';
import type { Scope, Variables } from './scope.ts';

/**
 * The WHERE, or nothing, of a sub-query over a plan that uses rows around it. The engine evaluates a sub-query once for all rows
 * whose columns that it uses are equal. Intervals are so by their length, though 30 days later is not a month later: a condition
 * that always holds names their texts, which are columns beside the row.
 */
export function tellApart(context: LoweringContext, plan: Plan, scope: Scope): string {
  const texts = new Set<string>();
  const visit = (part: Plan, variables: Variables): void => {
    const root = rootOf(part);
    const binding = root.kind === 'Variable' ? variables.get(root.id) : undefined;
    if (binding?.kind === 'plan') visit(binding.plan, binding.variables);
    else if (binding?.kind !== 'sql' && binding?.kind !== 'row') {
      mapChildren(part, (child) => {
        visit(child, variables);
        return child;
      });
    } else if (holdsInterval(part.type)) {
      texts.add(scope.prelude.add(`CAST(${lowerValue(context, part, { ...scope, variables })} AS VARCHAR)`));
    }
  };
  visit(plan, scope.variables);
  return texts.size === 0 ? '' : ` WHERE ${[...texts].map((text) => `(${text} IS NULL OR TRUE)`).join(' AND ')}`;
}

/** What a field, or a field of that, is of. */
function rootOf(part: Plan): Plan {
  return part.kind === 'Field' ? rootOf(part.target) : part;
}
