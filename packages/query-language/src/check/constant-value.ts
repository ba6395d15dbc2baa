import { isPrimitive } from '../types/types.ts';
import { childrenOfPlan } from '../plan/children-of-plan.ts';
import type { Plan, VariableId } from '../plan/plan.ts';
import { isNumericName } from '../types/numeric-types.ts';
import type { OptionValue } from './environment.ts';

/** Known values of variables: the plans bound to them, and the parameters that no call has bound yet. */
export interface KnownValues {
  readonly boundPlans: ReadonlyMap<VariableId, Plan>;
  readonly unknownArguments: ReadonlySet<VariableId>;
  /** Argument texts of the program's parameters. */
  readonly programArguments: ReadonlyMap<string, string | boolean | null>;
  /** Uses of arguments in the bodies of functions. */
  readonly argumentUses: WeakSet<object>;
  /** Cache of facts about bound values. Values that each use the previous one twice would take exponential time without it. */
  readonly knownOfBound: WeakMap<Plan, KnownOfBound>;
}

/** Facts about a bound value, each computed once. */
export interface KnownOfBound {
  constant?: { readonly value: OptionValue | undefined };
  usesUnknown?: boolean;
  usesArgument?: boolean;
}

/** Result of constant folding; `unknown` if it depends on an argument that only a call provides; `none` if it depends on rows. */
export type FoldedConstant =
  | { readonly kind: 'value'; readonly value: OptionValue }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' };

/** Folds a constant plan: literals, concatenations, records and collections of constants. */
export function foldConstant(known: KnownValues, plan: Plan): FoldedConstant {
  const value = constantValue(known, plan);
  if (value !== undefined) return { kind: 'value', value };
  return { kind: usesUnknown(known, plan) ? 'unknown' : 'none' };
}

function constantValue(known: KnownValues, plan: Plan): OptionValue | undefined {
  if (plan.kind === 'Constant') return typedValue(plan, plan.value);
  if (plan.kind === 'Parameter') {
    const text = known.programArguments.get(plan.name);
    return text === undefined ? undefined : typedValue(plan, text);
  }
  if (plan.kind === 'Variable') {
    const found = ofBound(known, plan.id);
    if (found === null) return undefined;
    found.known.constant ??= { value: constantValue(known, found.bound) };
    return found.known.constant.value;
  }
  if (plan.kind === 'Convert') return constantValue(known, plan.operand);
  if (plan.kind === 'Cast') return textOfCast(known, plan);
  if (plan.kind === 'Arithmetic' && plan.operator === 'concatenate') return joined(allOf(known, plan.operands));
  if (plan.kind === 'CollectionLiteral') return allOf(known, plan.elements);
  if (plan.kind !== 'RecordLiteral' || plan.type.kind !== 'RecordType') return undefined;
  const values = allOf(known, plan.values);
  return values && Object.fromEntries(plan.type.fields.map((field, i) => [field.name, values[i] ?? null]));
}

function allOf(known: KnownValues, plans: readonly Plan[]): readonly OptionValue[] | undefined {
  const values = plans.map((plan) => constantValue(known, plan));
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Maximum length of a folded concatenation, in characters; longer texts are built at run time. */
export const MAX_JOINED_CHARACTERS = 10_000_000;

function joined(values: readonly OptionValue[] | undefined): string | undefined {
  if (values?.every((value) => typeof value === 'string') !== true) return undefined;
  return values.reduce((sum, value) => sum + value.length, 0) > MAX_JOINED_CHARACTERS ? undefined : values.join('');
}

function ofBound(known: KnownValues, id: VariableId): { readonly bound: Plan; readonly known: KnownOfBound } | null {
  const bound = known.boundPlans.get(id);
  if (bound === undefined) return null;
  const found = known.knownOfBound.get(bound) ?? {};
  known.knownOfBound.set(bound, found);
  return { bound, known: found };
}

/** Folds only the cast of an integer to a string, whose text is its digits. */
function textOfCast(known: KnownValues, plan: Plan & { readonly kind: 'Cast' }): OptionValue | undefined {
  const { type, operand } = plan;
  const isWhole = isPrimitive(operand.type, 'byte', 'short', 'int', 'long', 'string');
  const value = isPrimitive(type, 'string') && isWhole ? constantValue(known, operand) : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function typedValue({ type }: Plan, value: string | boolean | null): OptionValue {
  const isNumber = type.kind === 'PrimitiveType' && isNumericName(type.name);
  return isNumber && typeof value === 'string' ? Number(value) : value;
}

function usesUnknown(known: KnownValues, plan: Plan): boolean {
  if (plan.kind === 'Variable') {
    const found = ofBound(known, plan.id);
    if (found === null) return known.unknownArguments.has(plan.id);
    return (found.known.usesUnknown ??= usesUnknown(known, found.bound));
  }
  return childrenOfPlan(plan).some((child) => usesUnknown(known, child));
}

/** Returns whether a value depends on an argument of the program, or of the function being expanded. */
export function usesArgument(known: KnownValues, plan: Plan): boolean {
  if (plan.kind === 'Parameter' || known.argumentUses.has(plan)) return true;
  const of = plan.kind === 'Variable' ? ofBound(known, plan.id) : null;
  if (of !== null) return (of.known.usesArgument ??= usesArgument(known, of.bound));
  return childrenOfPlan(plan).some((child) => usesArgument(known, child));
}
