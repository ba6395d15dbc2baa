import type { Parameter } from '../syntax/ast.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';
import { repeatedBy, spansOf } from './repeated.ts';
import { keyOfName } from './scope.ts';

/** Reports faults in the declared parameters of a function: repeated names, and parameters without a default after one with a default. */
export function areParametersFaulty(context: CheckContext, parameters: readonly Parameter[]): boolean {
  const repeated = repeatedBy(
    parameters.map(({ name }) => name),
    keyOfName,
  );
  for (const names of repeated) report(context, 'declared-twice', spansOf(names), names[0].text);
  const first = parameters.findIndex((parameter) => parameter.defaultValue !== null);
  const late = first < 0 ? undefined : parameters.slice(first).find((parameter) => parameter.defaultValue === null);
  if (late !== undefined) report(context, 'default-before-parameter', late.name.span, late.name.text);
  return repeated.length > 0 || late !== undefined;
}
