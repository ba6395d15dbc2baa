import type { ChildMember } from './child-members.ts';
import { childMembersOf } from './child-members.ts';
import type { Plan } from './plan.ts';

/** Returns the direct children of a plan, in the order of `mapChildren`, without rebuilding it. */
export function childrenOfPlan(plan: Plan): readonly Plan[] {
  const found: Plan[] = [];
  collect(plan, childMembersOf(plan), found);
  return found;
}

function collect(holder: object, members: readonly ChildMember[], found: Plan[]): void {
  for (const { name, within } of members) {
    const value = (holder as Readonly<Record<string, object | null>>)[name]; // the table of members has only objects and lists of them
    if (Array.isArray(value)) for (const element of value as readonly object[]) add(element, within, found);
    else if (value !== null && value !== undefined) add(value, within, found);
  }
}

function add(value: object, within: readonly ChildMember[] | null, found: Plan[]): void {
  if (within === null) found.push(value as Plan); // a member without members within it holds plans
  else collect(value, within, found);
}
