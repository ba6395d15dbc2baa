import { assertNever } from '../assert-never.ts';
import type { Type } from '../types/type.ts';
import {
  collectionOf,
  errorType,
  int,
  isAssignable,
  isComparable,
  isPrimitive,
  isSameType,
  notNullable,
  nullable,
  NUMERIC_NAMES,
  printType,
  timestamp,
  undeterminedNull,
  unify,
} from '../types/types.ts';
import type { FunctionDefinition, Overload, TypePattern } from './function-definition.ts';
import { ownValue } from '../own-value.ts';

/** The overload that a call means, with the types that its arguments must be widened to. */
export interface ResolvedOverload {
  readonly overload: Overload;
  readonly parameterTypes: readonly Type[];
  readonly resultType: Type;
}

/** Why no overload matches: the expected number of arguments, the expected types of one, or two arguments without a common type. */
export type OverloadFailure =
  | { readonly kind: 'count'; readonly expected: string }
  | { readonly kind: 'type'; readonly index: number; readonly expected: readonly string[] }
  | { readonly kind: 'conflict'; readonly index: number; readonly other: number };

/**
 * Selects the overload for argument types: the first that matches without promotion, else the first that matches with it.
 * NULL for a parameter that is not nullable makes the result nullable. An untyped NULL binds no hole.
 */
export function resolveOverload(
  definition: FunctionDefinition,
  types: readonly Type[],
): ResolvedOverload | { readonly failure: OverloadFailure } {
  const candidates = definition.overloads.filter((overload) => fitsCount(overload, types.length));
  if (candidates.length === 0) return { failure: { kind: 'count', expected: expectedCount(definition.overloads) } };
  const attempts = candidates.map((overload) => matchOverload(overload, types));
  const fits = attempts.filter((attempt) => 'isExact' in attempt);
  const chosen = fits.find((attempt) => attempt.isExact) ?? fits[0];
  if (chosen !== undefined) return chosen;
  const failed = attempts.flatMap((attempt) => ('failedAt' in attempt ? [attempt] : []));
  const furthest = Math.max(...failed.map((attempt) => attempt.failedAt));
  const closest = failed.filter((attempt) => attempt.failedAt === furthest);
  const conflict = closest.find((attempt) => attempt.conflictsWith !== null)?.conflictsWith;
  if (conflict !== undefined && conflict !== null) return { failure: { kind: 'conflict', index: furthest, other: conflict } };
  return { failure: { kind: 'type', index: furthest, expected: [...new Set(closest.flatMap((attempt) => attempt.expected))] } };
}

function fitsCount(overload: Overload, count: number): boolean {
  return count >= requiredCount(overload) && (overload.isVariadic || count <= overload.parameters.length);
}

function requiredCount(overload: Overload): number {
  return overload.parameters.filter((parameter) => parameter.defaultValue === null).length;
}

/** Describes the number of arguments a function accepts. */
export function expectedCount(overloads: readonly Overload[]): string {
  const counts = overloads.flatMap((overload) => {
    const required = requiredCount(overload);
    return overload.isVariadic
      ? [`${required} or more`]
      : required === overload.parameters.length
        ? [String(required)]
        : [`${required} to ${overload.parameters.length}`];
  });
  return [...new Set(counts)].join(' or ');
}

type Attempt =
  | (ResolvedOverload & { readonly isExact: boolean })
  | { readonly failedAt: number; readonly expected: readonly string[]; readonly conflictsWith: number | null };

/** Type bound to a hole, and the index of the argument that bound it. */
interface Binding {
  readonly type: Type;
  readonly by: number;
}

type Bindings = Map<string, Binding>;

function matchOverload(overload: Overload, types: readonly Type[]): Attempt {
  const bound: Bindings = new Map();
  let isExact = true;
  let hasNull = false;
  for (const [i, type] of types.entries()) {
    const parameter = overload.parameters[Math.min(i, overload.parameters.length - 1)];
    if (parameter === undefined) continue;
    const { pattern } = parameter;
    const takesNull = pattern.kind === 'Concrete' ? pattern.type.isNullable : pattern.isNullable;
    if (type.isNullable && !takesNull) hasNull = true;
    const match = matchPattern(pattern, notNullable(type), bound, i);
    if (match === 'none') return { failedAt: i, expected: describePattern(pattern), conflictsWith: null };
    if (typeof match === 'object') return { failedAt: i, expected: describePattern(pattern), conflictsWith: match.conflictsWith };
    if (match === 'promoted') isExact = false;
  }
  // An argument that is untyped but not NULL fails when it is evaluated: any type of the class is correct, but one is
  // required.
  if (!hasNull)
    for (const [name, binding] of bound) {
      const usual = ownValue(USUAL_TYPES, name);
      if (usual !== undefined && binding.type.kind === 'AnyType') bound.set(name, { ...binding, type: usual });
    }
  const parameterTypes = types.map((_, i) => {
    const parameter = overload.parameters[Math.min(i, overload.parameters.length - 1)];
    return parameter === undefined ? errorType : fillPattern(parameter.pattern, bound);
  });
  const result = fillPattern(overload.result, bound);
  return { overload, parameterTypes, resultType: hasNull ? nullable(result) : result, isExact };
}

type Match = 'same' | 'promoted' | 'none' | { readonly conflictsWith: number };

function matchPattern(pattern: TypePattern, type: Type, bound: Bindings, at: number): Match {
  if (type.kind === 'ErrorType') return 'same';
  const isUndetermined = type.kind === 'AnyType' && type.isUndetermined;
  switch (pattern.kind) {
    case 'Concrete': {
      const wanted = notNullable(pattern.type);
      const given = pattern.type.isNullable ? notNullable(type) : type;
      if (isUndetermined || isSameType(given, wanted)) return 'same';
      if (wanted.kind === 'AnyType') return type.kind === 'FunctionType' ? 'none' : 'promoted';
      return isAssignable(given, wanted) || isDecimalForDouble(given, wanted) ? 'promoted' : 'none';
    }
    case 'CollectionPattern':
      if (isUndetermined) return 'same';
      return type.kind === 'CollectionType' ? matchPattern(pattern.element, type.element, bound, at) : 'none';
    case 'Hole':
      return matchHole(pattern.name, type, bound, at);
    case 'OpaquePattern':
      return 'none';
    default:
      return assertNever(pattern);
  }
}

/** A function of doubles alone takes decimals too: as in arithmetic, the result is a double. */
function isDecimalForDouble(given: Type, wanted: Type): boolean {
  return isPrimitive(given, 'decimal') && isPrimitive(wanted, 'double');
}

const CLASSES: Readonly<Record<string, (type: Type) => boolean>> = {
  N: (type) => isPrimitive(type, ...NUMERIC_NAMES),
  I: (type) => isPrimitive(type, 'byte', 'short', 'int', 'long'),
  M: (type) => isPrimitive(type, 'date', 'timestamp'),
  K: isComparable,
  R: (type) => type.kind === 'RecordType' || type.kind === 'AnyType',
};

function matchHole(name: string, type: Type, bound: Bindings, at: number): Match {
  const isUndetermined = type.kind === 'AnyType' && type.isUndetermined;
  const isMember = ownValue(CLASSES, name) ?? ((other: Type) => other.kind !== 'FunctionType');
  if (!isUndetermined && !isMember(type)) return 'none';
  const before = bound.get(name);
  const unified = before === undefined ? type : unify(before.type, type);
  if (before !== undefined && (unified === null || (unified.kind === 'AnyType' && before.type.kind !== 'AnyType')))
    return { conflictsWith: before.by };
  bound.set(name, { type: unified ?? type, by: before === undefined || isUndetermined ? (before?.by ?? at) : at });
  return before === undefined || isSameType(before.type, type) ? 'same' : 'promoted';
}

function fillPattern(pattern: TypePattern, bound: ReadonlyMap<string, Binding>): Type {
  switch (pattern.kind) {
    case 'Concrete':
      return pattern.type;
    case 'CollectionPattern': {
      const filled = collectionOf(fillPattern(pattern.element, bound));
      return pattern.isNullable ? nullable(filled) : filled;
    }
    case 'Hole': {
      const filled = bound.get(pattern.name)?.type ?? notNullable(undeterminedNull);
      return pattern.isNullable ? nullable(filled) : filled;
    }
    case 'OpaquePattern':
      return errorType;
    default:
      return assertNever(pattern);
  }
}

const USUAL_TYPES: Readonly<Record<string, Type>> = { N: int, I: int, M: timestamp };

const CLASS_NAMES: Readonly<Record<string, readonly string[]>> = {
  N: ['number'],
  I: ['integer'],
  M: ['date', 'timestamp'],
  R: ['record', 'any'],
  K: ['a value that can be compared'],
};

/** Describes the types that a pattern accepts. */
function describePattern(pattern: TypePattern): readonly string[] {
  if (pattern.kind === 'Concrete') return [printType(notNullable(pattern.type))];
  if (pattern.kind === 'OpaquePattern') return ['another value'];
  if (pattern.kind === 'Hole') return ownValue(CLASS_NAMES, pattern.name) ?? ['a value'];
  const { element } = pattern;
  if (element.kind === 'Concrete') return [`collection(${printType(notNullable(element.type))})`];
  return [element.kind === 'Hole' && element.name === 'I' ? 'a collection of integers' : 'a collection'];
}
