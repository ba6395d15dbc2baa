import type { Plan, VariableId } from './plan.ts';

/** Whether two plans compute the same thing: equal but for places, types' nullability and the numbers of inner variables. */
export function isSamePlan(a: Plan, b: Plan): boolean {
  return a.kind === b.kind && isSame(a, b, new Map());
}

const IGNORED: ReadonlySet<string> = new Set(['span', 'type', 'rowType', 'name']);
const NUMBERED: ReadonlySet<string> = new Set(['id', 'row', 'position', 'itemVariable', 'accumulator', 'element']);

function isSame(a: unknown, b: unknown, renamed: Map<VariableId, VariableId>): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((member, i) => isSame(member, b[i], renamed));
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const other: Readonly<Record<string, unknown>> = { ...b };
  return Object.entries(a).every(([name, value]) => {
    if (IGNORED.has(name) && !('kind' in a && a.kind === 'Parameter'))
      return name !== 'type' || !('kind' in a && a.kind === 'Cast') || JSON.stringify(value) === JSON.stringify(other[name]);
    if (NUMBERED.has(name) && typeof value === 'number')
      return isSameVariable(value, other[name], 'kind' in a && a.kind === 'Variable', renamed);
    return name === 'span' || name === 'type' || isSame(value, other[name], renamed);
  });
}

/** A bound number is paired where its binder is met; a free one must be the same. */
function isSameVariable(a: VariableId, b: unknown, isUse: boolean, renamed: Map<VariableId, VariableId>): boolean {
  if (typeof b !== 'number') return false;
  if (isUse) return (renamed.get(a) ?? a) === b;
  renamed.set(a, b);
  return true;
}
