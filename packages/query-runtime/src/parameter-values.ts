import type { BoundArgument, Constant, Parameter, Plan } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

import type { Caller } from './caller.ts';

/** What the parameters of a run are bound to. */
export interface Bindings {
  readonly caller: Caller;
  readonly arguments: readonly BoundArgument[];
  readonly now: Date;
}

/** The texts that a plan's parameters are bound to, in order. */
export function parameterValues(names: readonly string[], at: Bindings): readonly (string | null)[] {
  return names.map((name) => valueOf(name, at));
}

/** Replaces the parameters of a plan by constants of their values; those that are no primitives stay. */
export function withParameters(plan: Plan, at: Bindings): Plan {
  return plan.kind === 'Parameter' ? bound(plan, at) : mapChildren(plan, (child) => withParameters(child, at));
}

function bound(parameter: Parameter, at: Bindings): Constant | Parameter {
  const { name, type, span } = parameter;
  if (type.kind !== 'PrimitiveType') return parameter;
  const value = valueOf(name, at);
  return { kind: 'Constant', type, span, value: type.name === 'bool' && value !== null ? value === 'true' : value };
}

function valueOf(name: string, at: Bindings): string | null {
  switch (name) {
    case 'now':
      return at.now.toISOString().replace('T', ' ').replace('Z', '');
    case 'today':
      return at.now.toISOString().slice(0, 10);
    case 'user':
      return at.caller.subject;
    case 'scopes':
      return JSON.stringify(at.caller.scopes);
    default: {
      const value = at.arguments.find((argument) => `argument:${argument.name}` === name)?.value;
      if (value === undefined) throw new Error(`nothing is bound to ${name}`);
      return value === null ? null : String(value);
    }
  }
}
