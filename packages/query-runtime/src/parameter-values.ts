import type { BoundArgument } from '@svc/query-language';

import type { Caller } from './caller.ts';

/** The texts that a plan's parameters are bound to, in order. */
export function parameterValues(
  names: readonly string[],
  at: { readonly caller: Caller; readonly arguments: readonly BoundArgument[]; readonly now: Date },
): readonly (string | null)[] {
  return names.map((name) => {
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
  });
}
