import type { Declaration, Expression } from '../syntax/ast.ts';
import type { SyntaxNode } from '../syntax/walk.ts';
import { childrenOf } from '../syntax/walk.ts';

/** Returns all names in a tree, in lower case: a superset of those it uses. */
export function namesIn(root: Declaration | Expression): ReadonlySet<string> {
  const known = NAMES.get(root);
  if (known !== undefined) return known;
  const names = new Set<string>();
  const open: SyntaxNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'Name') names.add(node.text.toLowerCase());
    else open.push(...childrenOf(node));
  }
  NAMES.set(root, names);
  return names;
}

const NAMES = new WeakMap<Declaration | Expression, ReadonlySet<string>>();

/** The declarations that some names need, directly and through others. */
export function neededDeclarations(declarations: readonly Declaration[], names: Iterable<string>): ReadonlySet<Declaration> {
  const byName = Map.groupBy(declarations, (declaration) => declaration.name.text.toLowerCase());
  const needed = new Set<Declaration>();
  const seen = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    for (const declaration of byName.get(name) ?? []) {
      needed.add(declaration);
      open.push(...namesIn(declaration));
    }
  }
  return needed;
}
