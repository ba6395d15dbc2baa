import type { BoundArgument, CheckEnvironment, Plan, Span, Type } from '@svc/query-language';
import { checkProgram, parseProgram, parseType } from '@svc/query-language';

/** A diagnostic of a program. */
export interface Fault {
  readonly message: string;
  readonly spans: readonly Span[];
}

/** Result of checking a program: its diagnostics, or its type, its plan (null: a function) and its arguments. */
export type CheckedText =
  | { readonly faults: readonly Fault[] }
  | { readonly type: Type; readonly plan: Plan | null; readonly arguments: readonly BoundArgument[] };

const NO_ARGUMENTS: ReadonlyMap<string, string> = new Map();

/** Parses and checks a program; throws if the environment leaves a need unresolved. */
export function checkText(text: string, environment: CheckEnvironment, args = NO_ARGUMENTS): CheckedText {
  const parsed = parseProgram(text);
  if (parsed.tree === null) return { faults: parsed.diagnostics };
  const result = checkProgram(parsed.tree, environment, { arguments: args });
  if (result.diagnostics.length > 0) return { faults: result.diagnostics };
  if (result.type === null) throw new Error(`${text}: ${JSON.stringify(result.needs)}`);
  return { type: result.type, plan: result.plan, arguments: result.arguments };
}

/** Returns the plan of a program; throws if it has faults, or is a function. */
export function planOf(text: string, environment: CheckEnvironment): Plan {
  const checked = checkText(text, environment);
  if ('faults' in checked) throw faultError(text, checked.faults);
  if (checked.plan === null) throw new Error(`${text}: a function cannot be run`);
  return checked.plan;
}

/** Returns the error of a test that expected no diagnostics. */
export function faultError(text: string, faults: readonly Fault[]): Error {
  return new Error(`${text}: ${faults.map(({ message }) => message).join('; ')}`);
}

/** Parses a type; throws if the text is not one. */
export function typeOf(text: string): Type {
  const parsed = parseType(text);
  if (!('type' in parsed)) throw new Error(`${text} is no type`);
  return parsed.type;
}
