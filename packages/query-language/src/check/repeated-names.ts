import type { Declaration, FunctionDeclaration } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { printType } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';
import { repeatedBy, spansOf } from './repeated.ts';
import { keyOfName } from './scope.ts';

/** A name bound twice is one error with all its places, except functions with different parameter types. Returns such names in lower case. */
export function reportRepeated(
  context: CheckContext,
  declarations: readonly Declaration[],
  parametersOf: (declaration: FunctionDeclaration) => readonly Type[],
): ReadonlySet<string> {
  const repeated = new Set<string>();
  for (const group of repeatedBy(declarations, ({ kind, name }) => `${kind === 'TypeDeclaration' ? 'type ' : ''}${keyOfName(name)}`)) {
    if (areOverloads(group, parametersOf)) continue;
    const { text } = group[0].name;
    report(context, 'declared-twice', spansOf(group.map(({ name }) => name)), text);
    repeated.add(text.toLowerCase());
  }
  return repeated;
}

function areOverloads(group: readonly Declaration[], parametersOf: (declaration: FunctionDeclaration) => readonly Type[]): boolean {
  const parameters = new Set<string>();
  for (const declaration of group) {
    if (declaration.kind !== 'FunctionDeclaration') return false;
    parameters.add(parametersOf(declaration).map(printType).join(', '));
  }
  return parameters.size === group.length;
}
