import type { Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import type { CallContext, FunctionLowering, LoweredArgument } from '../lowering-types.ts';
import { bindOnce, freshVariable } from '../scalars/bind-once.ts';

/**
 * The most characters or elements that one call makes out of a few numbers: the engine does not count a value's size. For rows it
 * makes them of a few at once, for elements of 2,048; no interrupt reaches it meanwhile. Of more calls than `shared` each makes less.
 */
const MAX_MADE = {
  once: { most: 10_000_000, shared: 10, each: '' },
  row: { most: 100_000, shared: 40, each: ' for each row' },
  element: { most: 10_000, shared: 20, each: ' for each element' },
} as const;
/**
 * As many elements or characters are made of constants while a statement is planned. What the engine makes there it holds as boxed
 * values, a hundred bytes for an element, beyond all limits; no interrupt reaches it; and it stays as long as the statement is prepared.
 */
export const MAX_PLANNED = 10_000;

/** The most characters or elements that a call may make, and what fails where it would make more. */
export function mostMade({ madeFor, makers, functionName, type, raise }: CallContext, what: 'elements' | 'characters') {
  const { most: all, shared, each } = MAX_MADE[madeFor];
  const most = Math.floor(all * Math.min(1, shared / makers));
  return { most, tooMany: raise(`${functionName} would make more than ${most} ${what}${each}`, type) };
}

/** A number by which so much is made, where the condition holds, that it is made when the statement runs, and not while it is planned; save in TRY. */
export function knownWhenRun({ isInTry }: Pick<CallContext, 'isInTry'>, number: string, isMuch: string): string {
  return isInTry ? number : `CASE WHEN ${isMuch} THEN ${number} + CAST(random() AS INTEGER) * 0 ELSE ${number} END`;
}

/** For SQL that uses each argument once and is NULL where one is NULL, as most of the engine's own functions are. */
export function direct(sql: (...args: string[]) => string): FunctionLowering {
  return (args) => sql(...args.map((arg) => arg.sql));
}

/** The same, brought to the engine's type of the result. Only for casts that cannot fail. */
export function typed(sql: (...args: string[]) => string): FunctionLowering {
  return (args, call) => `CAST(${sql(...args.map((arg) => arg.sql))} AS ${duckType(call.type)})`;
}

/** For SQL that uses an argument more than once: evaluates each once, and is NULL where one is NULL. */
export function guarded(body: (call: CallContext, ...args: string[]) => string): FunctionLowering {
  return (args, call) =>
    bindOnce(
      args.map((arg) => arg.sql),
      (...names) => whenPresent(args, names, body(call, ...names)),
    );
}

/** The SQL where none of the arguments is NULL. */
export function whenPresent(args: readonly LoweredArgument[], names: readonly string[], sql: string): string {
  const isConstant = (i: number): boolean => args[i]?.constant !== undefined && args[i]?.constant !== null;
  const present = names.filter((_, i) => !isConstant(i)).map((name) => `${name} IS NOT NULL`);
  return present.length === 0 ? sql : `CASE WHEN ${present.join(' AND ')} THEN ${sql} END`;
}

/** For functions that look at a constant argument: NULL where one is the constant NULL. */
export function ofConstants(lowering: FunctionLowering): FunctionLowering {
  return (args, call) => (args.some(({ constant }) => constant === null) ? `CAST(NULL AS ${duckType(call.type)})` : lowering(args, call));
}

/** Chooses by the type of one argument, for overloads that differ in it. */
export function byType(index: number, choose: (type: Type) => FunctionLowering): FunctionLowering {
  return (args, call) => {
    const type = args[index]?.type;
    if (type === undefined) throw new Error(`${call.functionName} needs more arguments.`);
    return choose(type)(args, call);
  };
}

/** What a value is raised with that was made without one of the engine's failures, which have no place. */
export function tryOr(sql: string, orElse: string): string {
  return `coalesce(TRY(${sql}), ${orElse})`;
}

/** The first characters of a value's text in quotes, as SQL for a message. */
export function quotedStart(name: string): string {
  return `concat('''', left(CAST(${name} AS VARCHAR), 100), '''')`;
}

/** The name of a primitive type, or of the kind of another. */
export function typeName(type: Type): string {
  return type.kind === 'PrimitiveType' ? type.name : type.kind;
}

/** The texts of a list as one, NULL left out; both may be repeated. The engine itself wants a constant separator. */
export function joinTexts(list: string, separator: string, isConstant: boolean): string {
  if (isConstant) return `array_to_string(${list}, ${separator})`;
  const element = freshVariable([list, separator]);
  const present = `list_filter(${list}, lambda ${element}: ${element} IS NOT NULL)`;
  return `array_to_string(list_transform(${present}, lambda ${element}, ${element}_i: CASE WHEN ${element}_i = 1 THEN ${element} ELSE concat(${separator}, ${element}) END), '')`;
}

/** The elements that are not NULL. */
export function withoutNull(list: string): string {
  const element = freshVariable([list]);
  return `list_filter(${list}, lambda ${element}: ${element} IS NOT NULL)`;
}
