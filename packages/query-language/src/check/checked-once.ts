import type { DataDeclaration, Declaration, FunctionDeclaration } from '../syntax/ast.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan } from './operand.ts';
import { report } from './check-context.ts';
import type { Operand } from './operand.ts';

/** The state of a declaration: checked when it is first needed, and at the latest when its block ends. */
export interface Entry<D extends Declaration, V> {
  readonly declaration: D;
  /** True if the declaration depends on itself: reported, and without a value. */
  isCyclic: boolean;
  state: 'checking' | 'done' | null;
  value: V | null;
}

/** Creates the entry of a declaration that has not been used yet. */
export function newEntry<D extends Declaration, V>(declaration: D): Entry<D, V> {
  return { declaration, isCyclic: false, state: null, value: null };
}

/** Declarations that have a value. Types are resolved without waiting. */
export type ValueDeclaration = DataDeclaration | FunctionDeclaration;

/** Maximum length of a chain of declarations that each depend on a later one. */
const MAX_WAITING_DECLARATIONS = 100;

/** The declarations that are being checked, innermost last: a cycle is a tail of it. */
const TRAILS = new WeakMap<CheckContext, Entry<ValueDeclaration, Operand>[]>();

/** Checks a declaration the first time; one that needs itself is reported once, at the first of the cycle as written. */
export function once<D extends ValueDeclaration>(context: CheckContext, entry: Entry<D, Operand>, check: () => Operand): Operand {
  const name = entry.declaration.name;
  if (entry.state === 'done') return entry.value ?? errorPlan(name.span);
  const trail = TRAILS.get(context) ?? [];
  TRAILS.set(context, trail);
  if (entry.state === 'checking') return reportCycle(context, trail, entry.declaration);
  if (trail.length >= MAX_WAITING_DECLARATIONS) return report(context, 'nested-too-deeply', name.span, MAX_WAITING_DECLARATIONS);
  entry.state = 'checking';
  trail.push(entry as unknown as Entry<ValueDeclaration, Operand>); // only its own declaration is read of it there
  const faultsBefore = context.diagnostics.count;
  const checked = check();
  const value = entry.isCyclic ? errorPlan(name.span) : checked;
  trail.pop();
  const wasTrialWithFaults = context.diagnostics.isTrial && context.diagnostics.count > faultsBefore;
  entry.state = wasTrialWithFaults ? null : 'done';
  entry.value = value;
  return value;
}

function reportCycle(context: CheckContext, trail: readonly Entry<ValueDeclaration, Operand>[], needed: ValueDeclaration): Operand {
  const cycle = trail.slice(trail.findIndex((other) => other.declaration === needed));
  for (const member of cycle) member.isCyclic = true;
  const members = cycle.map((other) => other.declaration);
  const first = members.reduce((a, b) => (b.name.span.start < a.name.span.start ? b : a), needed);
  if (first.kind === 'FunctionDeclaration' || members.some((member) => member.kind === 'FunctionDeclaration'))
    return report(context, 'recursive-function', first.name.span);
  return report(context, 'defined-by-itself', first.name.span, first.name.text);
}
