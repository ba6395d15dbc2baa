import type { Plan, VariableId } from './plan.ts';

/** Returns whether two plans compute the same value: equal except for spans, nullability and the numbers of inner variables. */
export function isSamePlan(a: Plan, b: Plan): boolean {
  return a.kind === b.kind && isSame(a, b, new Map());
}

const IGNORED: ReadonlySet<string> = new Set(['span', 'rowType', 'name']);
const NUMBERED: ReadonlySet<string> = new Set(['id', 'rolledUp', 'row', 'position', 'itemVariable', 'accumulator', 'element']);

/** Returns whether equal plans may differ in a property: it is ignored, or a number that denotes a variable. */
export function isLeftOut(name: string, value: unknown): boolean {
  return IGNORED.has(name) || (NUMBERED.has(name) && typeof value === 'number') || (name === 'type' && typeof value !== 'string');
}

/** Kinds whose result depends on their type. The type of other nodes follows from their children. */
const TYPED: ReadonlySet<string> = new Set(['Constant', 'Convert', 'RecordLiteral', 'CollectionLiteral', 'Call']);

function isSame(a: unknown, b: unknown, renamed: Map<VariableId, VariableId>): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((member, i) => isSame(member, b[i], renamed));
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const other: Readonly<Record<string, unknown>> = { ...b };
  const kind = 'kind' in a ? a.kind : null;
  return Object.entries(a).every(([name, value]) => {
    if (name === 'type') return hasSameType(kind, value, other[name]);
    if (IGNORED.has(name)) return name !== 'name' || kind !== 'Parameter' || value === other[name];
    if (NUMBERED.has(name) && typeof value === 'number') return isSameVariable(value, other[name], kind === 'Variable', renamed);
    return isSame(value, other[name], renamed);
  });
}

/** The type of a frame bound is a string, not a type. Nullability within the type of a cast decides whether it fails. */
function hasSameType(kind: unknown, a: unknown, b: unknown): boolean {
  if (typeof a === 'string') return a === b;
  if (kind === 'Cast') return JSON.stringify(notNull(a)) === JSON.stringify(notNull(b));
  return typeof kind !== 'string' || !TYPED.has(kind) || JSON.stringify(a, withoutNull) === JSON.stringify(b, withoutNull);
}

function notNull(type: unknown): unknown {
  return typeof type === 'object' ? { ...type, isNullable: false } : type;
}

function withoutNull(name: string, value: unknown): unknown {
  return name === 'isNullable' ? undefined : value;
}

/** Bound numbers are paired at their binders; free ones must be equal. */
function isSameVariable(a: VariableId, b: unknown, isUse: boolean, renamed: Map<VariableId, VariableId>): boolean {
  if (typeof b !== 'number') return false;
  if (isUse) return (renamed.get(a) ?? a) === b;
  renamed.set(a, b);
  return true;
}
