import type { DeclaredCall } from './term.ts';

type Node = Readonly<Record<string, unknown>>;

/** Returns whether a tree uses one of some variables. */
export function usesVariables(tree: unknown, ids: ReadonlySet<number>): boolean {
  return someNode(tree, (node) => node['kind'] === 'variable' && typeof node['id'] === 'number' && ids.has(node['id']));
}

/** Returns whether some node of a tree satisfies a predicate. */
export function someNode(tree: unknown, isSuch: (node: Node) => boolean): boolean {
  const [first] = outermostTerms(tree, isSuch);
  return first !== undefined;
}

/** Returns the values that terms declare and the arguments that they pass, used or not: the engine may compute queries in them. */
export function boundValues(tree: unknown): readonly unknown[] {
  return outermostTerms(tree, ({ kind }) => kind === 'block' || kind === 'declared-call').flatMap((node) =>
    node['kind'] === 'block' ? [node['declaration'], ...boundValues(partsOf(node))] : argumentsOf(node as unknown as DeclaredCall),
  );
}

function argumentsOf({ function: { parameters, body }, arguments: given }: DeclaredCall): readonly unknown[] {
  const passed = given.map((argument, i) => argument ?? parameters[i]?.default);
  return [...passed, ...boundValues([passed, body])];
}

/** The nodes of a tree that are such, without those inside of them. */
export function outermostTerms(tree: unknown, isSuch: (node: Node) => boolean): readonly Node[] {
  if (Array.isArray(tree)) return tree.flatMap((part) => outermostTerms(part, isSuch));
  if (typeof tree !== 'object' || tree === null) return [];
  const node = tree as Node;
  return isSuch(node) ? [node] : outermostTerms(partsOf(node), isSuch);
}

/** Known children of nodes: those of a term are looked at for each row. */
const PARTS = new WeakMap<Node, readonly unknown[]>();

/**
 * Returns the children of a node, without types and values, and without the SELECT that a `*` belongs to. An argument that a
 * declared function does not use is not among them: calls are expanded.
 */
export function partsOf(node: Node): readonly unknown[] {
  const known = PARTS.get(node);
  if (known !== undefined) return known;
  const parts = findParts(node);
  PARTS.set(node, parts);
  return parts;
}

function findParts(node: Node): readonly unknown[] {
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
