import type { DeclaredCall } from './program.ts';

type Node = Readonly<Record<string, unknown>>;

/** Whether a tree names one of some variables. */
export function usesVariables(tree: unknown, ids: ReadonlySet<number>): boolean {
  return someNode(tree, (node) => node['kind'] === 'variable' && typeof node['id'] === 'number' && ids.has(node['id']));
}

/** Whether some node of a tree is such. */
export function someNode(tree: unknown, isSuch: (node: Node) => boolean): boolean {
  const [first] = outermostTerms(tree, isSuch);
  return first !== undefined;
}

/** The nodes of a tree that are such, without those inside of them. */
export function outermostTerms(tree: unknown, isSuch: (node: Node) => boolean): readonly Node[] {
  if (Array.isArray(tree)) return tree.flatMap((part) => outermostTerms(part, isSuch));
  if (typeof tree !== 'object' || tree === null) return [];
  const node = tree as Node;
  return isSuch(node) ? [node] : outermostTerms(partsOf(node), isSuch);
}

/**
 * What a node holds; types and values are not looked into, nor is the SELECT that a `*` belongs to. Of a call, an argument that
 * the function does not use is no part: calls are expanded away.
 */
export function partsOf(node: Node): readonly unknown[] {
  if (node['kind'] === 'declared-call') return partsOfCall(node as unknown as DeclaredCall);
  return Object.entries(node).flatMap(([name, part]) =>
    name === 'shape' || (name === 'value' && node['kind'] === 'literal') || (node['kind'] === 'star' && name === 'select') ? [] : [part],
  );
}

function partsOfCall({ function: { parameters, body }, arguments: given }: DeclaredCall): readonly unknown[] {
  const isUsed = (_: unknown, i: number): boolean => {
    const parameter = parameters[i];
    return parameter === undefined || !parameter.isNullable || usesVariables(body, new Set([parameter.id]));
  };
  return [body, ...given.map((argument, i) => argument ?? parameters[i]?.default).filter(isUsed)];
}
