import type { Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { castTo, joinSql, NULL, SQL, type Sql } from '../../sql/sql.ts';
import type { CallContext, FunctionLowering, LoweredArgument } from '../lowering-types.ts';
import { letExpression, transformIndexed } from '../scalars/let-expression.ts';
import { limitedValue } from '../scalars/limited-value.ts';

/**
 * Maximum number of elements or characters produced from constants at planning. The engine holds them as boxed values there,
 * a hundred bytes per element, outside of all limits; it cannot be interrupted, and they stay as long as the statement is
 * prepared.
 */
export const MAX_FOLDED = 10_000;

/** Fails instead of making a long value of more characters or elements than its limit. */
export function limitedOutput(
  { limits, functionName, raise, type }: CallContext,
  what: 'elements' | 'characters',
  isLonger: (than: number) => Sql,
  made: Sql,
): Sql {
  if (limits === null) return made;
  const tooMany = raise(`${functionName} would make more than ${limits[what]} ${what}${limits.each}`, type);
  return SQL`CASE WHEN ${isLonger(limits[what])} THEN ${tooMany} ELSE ${made} END`;
}

/** For a result that may be longer than its arguments: `size` is the maximum number of its bytes by the arguments, which may be repeated. */
export function growing(size: (args: readonly LoweredArgument[]) => Sql, lowering: FunctionLowering): FunctionLowering {
  return (args, call) => {
    const named = (names: readonly Sql[]): readonly LoweredArgument[] => args.map((arg, i) => ({ ...arg, sql: names[i] ?? arg.sql }));
    const build = (names: readonly Sql[]): Sql => lowering(named(names), call);
    return limitedValue(call, args, build, (names) => size(named(names)));
  };
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
