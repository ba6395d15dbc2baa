import type { Declaration, FunctionDeclaration } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { errorType, isSameType } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';

/** A name bound twice is one error with all its places, except functions with different parameter types. Answers such names in lower case. */
export function reportRepeated(
  context: CheckContext,
  declarations: readonly Declaration[],
  parametersOf: (declaration: FunctionDeclaration) => readonly Type[],
): ReadonlySet<string> {
  const repeated = new Set<string>();
  const byName = new Map<string, Declaration[]>();
  for (const declaration of declarations) {
    const key = `${declaration.kind === 'TypeDeclaration' ? 'type ' : ''}${declaration.name.isQuoted ? declaration.name.text : declaration.name.text.toLowerCase()}`;
    byName.set(key, [...(byName.get(key) ?? []), declaration]);
  }
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
  const lists: (readonly Type[])[] = [];
  for (const declaration of group) {
    if (declaration.kind !== 'FunctionDeclaration') return false;
    lists.push(parametersOf(declaration));
  }
  return lists.every((list, i) =>
    lists.slice(i + 1).every((other) => list.length !== other.length || list.some((type, k) => !isSameType(type, other[k] ?? errorType))),
  );
}
