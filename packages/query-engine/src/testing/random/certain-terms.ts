import { partsOf } from './uses-variables.ts';

type Node = Readonly<Record<string, unknown>>;

/** The first of their operands is evaluated in any case, and the others only where it says so. */
const CHOOSING: ReadonlySet<unknown> = new Set(['COALESCE', 'ISNULL', 'IFF', 'CHOOSE']);

/** The nodes of a tree that are such, without those inside of them, save those that only a branch or a TRY asks for. */
export function certainTerms(tree: unknown, isSuch: (node: Node) => boolean): readonly Node[] {
  if (Array.isArray(tree)) return tree.flatMap((part) => certainTerms(part, isSuch));
  if (typeof tree !== 'object' || tree === null) return [];
  const node = tree as Node;
  return isSuch(node) ? [node] : certainTerms(certainParts(node), isSuch);
}

function certainParts(node: Node): readonly unknown[] {
  const { kind, name, operator } = node;
  if (kind === 'if') return [node['condition']];
  if (kind === 'case') return [node['operand'], firstOf(node['branches'])?.['when']];
  if (kind === 'try') return [];
  if (kind === 'binary' && (operator === 'AND' || operator === 'OR')) return [node['left']];
  if (kind === 'call' && CHOOSING.has(name)) return [firstOf(node['arguments'])];
  return partsOf(node);
}

function firstOf(nodes: unknown): Node | undefined {
  return Array.isArray(nodes) ? (nodes as readonly Node[])[0] : undefined;
}
