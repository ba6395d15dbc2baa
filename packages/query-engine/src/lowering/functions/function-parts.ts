import type { Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { castTo, joinSql, NULL, SQL, type Sql } from '../../sql/sql.ts';
import type { CallContext, FunctionLowering, LoweredArgument } from '../lowering-types.ts';
import { letExpression, transformIndexed } from '../scalars/let-expression.ts';

/**
 * Maximum number of characters or elements that one call produces from a few numbers: the engine does not account for the
 * size of a value. For rows it computes a few values at once, for elements 2,048, without checking for interrupts. With more
 * than `shared` calls each may produce less.
 */
const OUTPUT_LIMITS = {
  statement: { most: 10_000_000, shared: 10, each: '' },
  row: { most: 100_000, shared: 40, each: ' for each row' },
  element: { most: 10_000, shared: 20, each: ' for each element' },
} as const;
/**
 * Maximum number of elements or characters produced from constants at planning. The engine holds them as boxed values there,
 * a hundred bytes per element, outside of all limits; it cannot be interrupted, and they stay as long as the statement is
 * prepared.
 */
export const MAX_FOLDED = 10_000;

/** Returns the maximum number of characters or elements of a call, and the failure beyond it. */
export function outputLimit({ evaluatedPer, generators, functionName, type, raise }: CallContext, what: 'elements' | 'characters') {
  const { most: all, shared, each } = OUTPUT_LIMITS[evaluatedPer];
  const most = Math.floor(all * Math.min(1, shared / generators));
  return { most, tooMany: raise(`${functionName} would make more than ${most} ${what}${each}`, type) };
}

/** Makes a number unknown at planning if the condition holds, so that large values are produced at run time; except in TRY. */
export function knownWhenRun({ isInTry }: Pick<CallContext, 'isInTry'>, number: Sql, isMuch: Sql): Sql {
  return isInTry ? number : SQL`CASE WHEN ${isMuch} THEN ${number} + CAST(random() AS INTEGER) * 0 ELSE ${number} END`;
}

/** For SQL that uses each argument once and is NULL if one is NULL, like most of the engine's functions. */
export function direct(sql: (...args: Sql[]) => Sql): FunctionLowering {
  return (args) => sql(...args.map((arg) => arg.sql));
}

/** The same, brought to the engine's type of the result. Only for casts that cannot fail. */
export function typed(sql: (...args: Sql[]) => Sql): FunctionLowering {
  return (args, call) => castTo(sql(...args.map((arg) => arg.sql)), duckType(call.type));
}

/** For SQL that uses an argument more than once: evaluates each once, and is NULL if one is NULL. */
export function guarded(body: (call: CallContext, ...args: Sql[]) => Sql): FunctionLowering {
  return (args, call) =>
    letExpression(
      args.map((arg) => arg.sql),
      (...names) => whenPresent(args, names, body(call, ...names)),
    );
}

/** Returns SQL that is NULL if any argument is NULL. */
export function whenPresent(args: readonly LoweredArgument[], names: readonly Sql[], sql: Sql): Sql {
  const isConstant = (i: number): boolean => args[i]?.constant !== undefined && args[i]?.constant !== null;
  const present = names.filter((_, i) => !isConstant(i)).map((name) => SQL`${name} IS NOT NULL`);
  return present.length === 0 ? sql : SQL`CASE WHEN ${joinSql(present, ' AND ')} THEN ${sql} END`;
}

/** For functions that inspect a constant argument: NULL if one is the constant NULL. */
export function ofConstants(lowering: FunctionLowering): FunctionLowering {
  return (args, call) => (args.some(({ constant }) => constant === null) ? castTo(NULL, duckType(call.type)) : lowering(args, call));
}

/** Chooses by the type of one argument, for overloads that differ in it. */
export function byType(index: number, choose: (type: Type) => FunctionLowering): FunctionLowering {
  return (args, call) => {
    const type = args[index]?.type;
    if (type === undefined) throw new Error(`${call.functionName} needs more arguments.`);
    return choose(type)(args, call);
  };
}

/** Evaluates SQL, and `orElse` if it fails, since the engine's failures have no position. */
export function tryOr(sql: Sql, orElse: Sql): Sql {
  return SQL`coalesce(TRY(${sql}), ${orElse})`;
}

/** The first characters of a value's text in quotes, as SQL for a message. */
export function quotedStart(name: Sql): Sql {
  return SQL`concat('''', left(CAST(${name} AS VARCHAR), 100), '''')`;
}

/** The name of a primitive type, or of the kind of another. */
export function typeName(type: Type): string {
  return type.kind === 'PrimitiveType' ? type.name : type.kind;
}

/** Joins the texts of a list, skipping NULL; both arguments may be repeated. The engine's function requires a constant separator. */
export function joinTexts(list: Sql, separator: Sql, isConstant: boolean): Sql {
  if (isConstant) return SQL`array_to_string(${list}, ${separator})`;
  const separated = transformIndexed(withoutNull(list), (e, i) => SQL`CASE WHEN ${i} = 1 THEN ${e} ELSE concat(${separator}, ${e}) END`);
  return SQL`array_to_string(${separated}, '')`;
}

/** The elements that are not NULL. */
export function withoutNull(list: Sql): Sql {
  return SQL`list_filter(${list}, lambda e: e IS NOT NULL)`;
}
