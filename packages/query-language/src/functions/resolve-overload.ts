import type { Type } from '../types/type.ts';
import {
  collectionOf,
  errorType,
  isAssignable,
  isComparable,
  isSameType,
  NUMERIC_NAMES,
  notNullable,
  nullable,
  printType,
  unify,
} from '../types/types.ts';
import type { FunctionDefinition, Overload, TypePattern } from './function-definition.ts';

/** The overload that a call means, with the types that its arguments must be widened to. */
export interface ResolvedOverload {
  readonly overload: Overload;
  readonly parameterTypes: readonly Type[];
  readonly resultType: Type;
}

/** Why no overload fits: how many arguments there should be, or what type one of them. */
export type OverloadFailure =
  | { readonly kind: 'count'; readonly expected: string }
  | { readonly kind: 'type'; readonly index: number; readonly expected: readonly string[] };

/**
 * Chooses the overload for arguments of these types (undefined: an optional one that was left out): the first that fits without
 * promotion, else the first that fits with it. NULL for a parameter that is not nullable makes the result nullable.
 */
export function resolveOverload(
  definition: FunctionDefinition,
  types: readonly (Type | undefined)[],
): ResolvedOverload | { readonly failure: OverloadFailure } {
  const candidates = definition.overloads.filter((overload) => fitsCount(overload, types.length));
  if (candidates.length === 0) return { failure: { kind: 'count', expected: expectedCount(definition.overloads) } };
  const attempts = candidates.map((overload) => matchOverload(overload, types));
  const fits = attempts.filter((attempt) => 'isExact' in attempt);
  const chosen = fits.find((attempt) => attempt.isExact) ?? fits[0];
  if (chosen !== undefined) return chosen;
  const furthest = Math.max(...attempts.map((attempt) => ('failedAt' in attempt ? attempt.failedAt : 0)));
  const expected = attempts.flatMap((attempt) => ('failedAt' in attempt && attempt.failedAt === furthest ? [attempt.expected] : []));
  return { failure: { kind: 'type', index: furthest, expected: [...new Set(expected)] } };
}

function fitsCount(overload: Overload, count: number): boolean {
  const required = overload.parameters.filter((parameter) => !parameter.isOptional).length;
  return count >= required && (overload.isVariadic || count <= overload.parameters.length);
}

function expectedCount(overloads: readonly Overload[]): string {
  const counts = overloads.flatMap((overload) => {
    const required = overload.parameters.filter((parameter) => !parameter.isOptional).length;
    return overload.isVariadic
      ? [`${required} or more`]
      : required === overload.parameters.length
        ? [String(required)]
        : [`${required} to ${overload.parameters.length}`];
  });
  return [...new Set(counts)].join(' or ');
}

type Attempt = (ResolvedOverload & { readonly isExact: boolean }) | { readonly failedAt: number; readonly expected: string };

function matchOverload(overload: Overload, types: readonly (Type | undefined)[]): Attempt {
  const bound = new Map<string, Type>();
  let isExact = true;
  let hasNull = false;
  for (const [i, type] of types.entries()) {
    const parameter = overload.parameters[Math.min(i, overload.parameters.length - 1)];
    if (parameter === undefined || type === undefined) continue;
    const { pattern } = parameter;
    const takesNull = pattern.kind === 'Concrete' ? pattern.type.isNullable : pattern.isNullable;
    if (type.isNullable && !takesNull) hasNull = true;
    const match = matchPattern(pattern, notNullable(type), bound);
    if (match === 'none') return { failedAt: i, expected: printPattern(pattern) };
    if (match === 'promoted') isExact = false;
  }
  const parameterTypes = types.map((_, i) => {
    const parameter = overload.parameters[Math.min(i, overload.parameters.length - 1)];
    return parameter === undefined ? errorType : fillPattern(parameter.pattern, bound);
  });
  const result = fillPattern(overload.result, bound);
  return { overload, parameterTypes, resultType: hasNull ? nullable(result) : result, isExact };
}

type Match = 'same' | 'promoted' | 'none';

function matchPattern(pattern: TypePattern, type: Type, bound: Map<string, Type>): Match {
  if (type.kind === 'ErrorType') return 'same';
  const isUndetermined = type.kind === 'AnyType' && type.isUndetermined;
  switch (pattern.kind) {
    case 'Concrete': {
      const wanted = notNullable(pattern.type);
      const given = pattern.type.isNullable ? notNullable(type) : type;
      if (isUndetermined || isSameType(given, wanted)) return 'same';
      return wanted.kind !== 'AnyType' && isAssignable(given, wanted)
        ? 'promoted'
        : wanted.kind === 'AnyType' && type.kind !== 'FunctionType'
          ? 'promoted'
          : 'none';
    }
    case 'CollectionPattern':
      if (isUndetermined) return 'same';
      return type.kind === 'CollectionType' ? matchPattern(pattern.element, type.element, bound) : 'none';
    case 'Hole':
      return matchHole(pattern.name, type, bound);
    default:
      return pattern satisfies never;
  }
}

const CLASSES: Readonly<Record<string, (type: Type) => boolean>> = {
  N: (type) => type.kind === 'PrimitiveType' && (NUMERIC_NAMES as readonly string[]).includes(type.name),
  I: (type) => type.kind === 'PrimitiveType' && ['byte', 'short', 'int', 'long'].includes(type.name),
  M: (type) => type.kind === 'PrimitiveType' && ['date', 'timestamp'].includes(type.name),
  K: (type) => isComparable(type),
};

function matchHole(name: string, type: Type, bound: Map<string, Type>): Match {
  const isUndetermined = type.kind === 'AnyType' && type.isUndetermined;
  const isMember = CLASSES[name] ?? ((other: Type) => other.kind !== 'FunctionType');
  if (!isUndetermined && !isMember(type)) return 'none';
  const before = bound.get(name);
  const unified = before === undefined ? type : unify(before, type);
  if (unified === null || (before !== undefined && unified.kind === 'AnyType' && before.kind !== 'AnyType')) return 'none';
  bound.set(name, unified);
  return before === undefined || isSameType(before, type) ? 'same' : 'promoted';
}

function fillPattern(pattern: TypePattern, bound: ReadonlyMap<string, Type>): Type {
  switch (pattern.kind) {
    case 'Concrete':
      return pattern.type;
    case 'CollectionPattern': {
      const filled = collectionOf(fillPattern(pattern.element, bound));
      return pattern.isNullable ? nullable(filled) : filled;
    }
    case 'Hole': {
      const filled = bound.get(pattern.name) ?? errorType;
      return pattern.isNullable ? nullable(filled) : filled;
    }
    default:
      return pattern satisfies never;
  }
}

const CLASS_NAMES: Readonly<Record<string, string>> = { N: 'number', I: 'integer', M: 'date or timestamp' };

function printPattern(pattern: TypePattern): string {
  if (pattern.kind === 'Concrete') return printType(notNullable(pattern.type));
  if (pattern.kind === 'CollectionPattern')
    return pattern.element.kind === 'Concrete' ? `collection(${printPattern(pattern.element)})` : 'a collection';
  return CLASS_NAMES[pattern.name] ?? 'a value';
}
