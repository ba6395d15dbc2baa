import type { Plan } from '../plan/plan.ts';
import type { Name } from '../syntax/ast.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan, placeOf, report } from './check-context.ts';
import { suggest } from './suggest.ts';

/** A name that is no declaration: a view or a table of the caller's namespace; null where there is no such either. */
export function useStoredName(context: CheckContext, name: Name, others: () => readonly string[]): Plan | null {
  const key = `name:${name.isQuoted ? `\`${name.text}\`` : name.text.toLowerCase()}`;
  const need = { kind: 'name', key, name: name.text } as const;
  const answer = context.environment.findName(need);
  if (answer === undefined) {
    context.needs.set(key, need);
    return errorPlan(name.span);
  }
  switch (answer.kind) {
    case 'table': {
      if (answer.type.kind !== 'CollectionType') throw new Error('the type of a table is a collection');
      return { kind: 'TableScan', type: answer.type, span: placeOf(context, name.span), table: answer.name };
    }
    case 'view':
      return report(context, 'not-supported-yet', name.span, 'views');
    case 'nothing':
      return report(context, 'unknown-name', name.span, name.text, suggest(name.text, [...others(), ...answer.candidates]));
    default:
      return answer satisfies never;
  }
}
