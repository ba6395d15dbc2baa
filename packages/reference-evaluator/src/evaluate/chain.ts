import type { ChainKey, OrderedChain } from '../program/term.ts';
import type { CollectionValue, Value } from '../values/value.ts';
import { elementsOf } from '../values/value.ts';
import type { Environment } from './environment.ts';
import { evaluate } from './environment.ts';
import { compareKey, cut } from './rows.ts';

/** Evaluates a chain of set operators with ORDER BY, OFFSET and LIMIT; tied rows are in no guaranteed order. */
export function evaluateChain(chain: OrderedChain, environment: Environment): Value {
  const rows = evaluate(chain.operands, environment);
  if (rows === null) return null;
  const compare = (a: Value, b: Value): number => {
    for (const key of chain.orderBy) {
      const order = compareKey(valueOf(key, a), valueOf(key, b), key);
      if (order !== 0) return order;
    }
    return 0;
  };
  const sorted = elementsOf(rows as CollectionValue).toSorted(compare);
  const blocks: Value[][] = [];
  for (const [i, row] of sorted.entries()) {
    if (i > 0 && compare(sorted[i - 1] ?? null, row) === 0) blocks.at(-1)?.push(row);
    else blocks.push([row]);
  }
  return cut(chain, environment, { kind: 'collection', blocks });
}

function valueOf({ index, isOfRecord }: ChainKey, row: Value): Value {
  if (!isOfRecord) return row;
  return typeof row === 'object' && row?.kind === 'record' ? (row.values[index] ?? null) : null;
}
