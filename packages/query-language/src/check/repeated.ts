import type { Span } from '../text/span.ts';

/** Returns the groups of two or more items with the same key, in order. */
export function repeatedBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): readonly (readonly [Item, Item, ...Item[]])[] {
  return [...Map.groupBy(items, keyOf).values()].filter(isSeveral);
}

function isSeveral<Item>(group: Item[]): group is [Item, Item, ...Item[]] {
  return group.length > 1;
}

/** The spans of nodes. */
export function spansOf(nodes: readonly { readonly span: Span }[]): readonly Span[] {
  return nodes.map(({ span }) => span);
}
