import type { Declaration, FunctionDeclaration } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { printType } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';

/** A name bound twice is one error with all its places, except functions with different parameter types. Answers such names in lower case. */
export function reportRepeated(
  context: CheckContext,
  declarations: readonly Declaration[],
  parametersOf: (declaration: FunctionDeclaration) => readonly Type[],
): ReadonlySet<string> {
  const repeated = new Set<string>();
  const byName = Map.groupBy(
    declarations,
    ({ kind, name }) => `${kind === 'TypeDeclaration' ? 'type ' : ''}${name.isQuoted ? name.text : name.text.toLowerCase()}`,
  );
  for (const group of byName.values()) {
    const [first] = group;
    if (first === undefined || group.length === 1 || areOverloads(group, parametersOf)) continue;
    const spans = group.map((declaration) => declaration.name.span);
    report(context, 'declared-twice', spans, first.name.text);
    repeated.add(first.name.text.toLowerCase());
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
