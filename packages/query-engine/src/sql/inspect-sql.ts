import { isDeepStrictEqual } from 'node:util';

import { assertNever } from '@svc/query-language';

import type { Sql } from './sql.ts';

/** Maximum number of characters of a text, and of digits of a number, that is as cheap to repeat as to bind. */
const MOST_CHARACTERS = 40;
const MOST_DIGITS = 20;

/** Returns whether SQL is cheap to write and to evaluate again: a column, a lambda's variable, a member of them, a short constant. */
export function isRepeatable(sql: Sql): boolean {
  switch (sql.kind) {
    case 'column':
    case 'variable':
      return true;
    case 'member':
      return isRepeatable(sql.target);
    case 'literal':
      return sql.value.length <= MOST_CHARACTERS;
    case 'verbatim':
      return sql.isConstant && sql.text.length <= MOST_DIGITS;
    case 'cast':
      return (
        (sql.value.kind === 'literal' || sql.value.kind === 'verbatim') &&
        isRepeatable(sql.value) &&
        /^[A-Z]+(?:\(\d+,\d+\))?$/.test(sql.type)
      );
    case 'template':
    case 'located':
    case 'list':
      return false;
    default:
      return assertNever(sql);
  }
}

/** Returns whether two pieces of SQL are equal. */
export function isSameSql(a: Sql, b: Sql): boolean {
  return a === b || (a.size === b.size && a.kind === b.kind && isDeepStrictEqual(a, b));
}

/** Leaves out SQL that prints the same text as other SQL before it. */
export function withoutRepeats(parts: readonly Sql[]): readonly Sql[] {
  return parts.filter((part, i) => parts.findIndex((other) => isSameSql(other, part)) === i);
}

/** Returns whether SQL uses one of these columns. */
export function usesColumn(sql: Sql, names: ReadonlySet<string>): boolean {
  return someColumn(sql, (name) => names.has(name));
}

/** Returns whether SQL uses a column that satisfies a predicate. */
export function someColumn(sql: Sql, test: (name: string) => boolean, seen = new Set<Sql>()): boolean {
  if (sql.kind === 'column') return test(sql.name);
  if (seen.has(sql)) return false;
  seen.add(sql);
  return partsOf(sql).some((part) => someColumn(part, test, seen));
}

function partsOf(sql: Sql): readonly Sql[] {
  switch (sql.kind) {
    case 'template':
    case 'list':
      return sql.parts;
    case 'cast':
    case 'located':
      return [sql.value];
    case 'member':
      return [sql.target];
    case 'column':
    case 'variable':
    case 'literal':
    case 'verbatim':
      return [];
    default:
      return assertNever(sql);
  }
}
