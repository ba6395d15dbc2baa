import type { Call, Plan, Select, VariableId } from '@svc/query-language';
import { findFunction, mapChildren, ownValue, plainSelect } from '@svc/query-language';

import { bindingOfValue, isRelational, isRows } from '../analysis/relational-analysis.ts';
import type { ScopeVariables } from '../analysis/scope-bindings.ts';
import { somePart } from '../analysis/variables.ts';
import { freshVariables } from './fresh-variables.ts';

/**
 * Turns functions of collections over rows into SELECTs, `CSUM(t)` into `SELECT SUM(x) FROM t x`, so that no list of the rows
 * is built, and unused columns are pruned.
 */
export function selectFromCalls(plan: Plan): Plan {
  if (!somePart(plan, (part) => part.kind === 'Call' && findFunction(part.function)?.overRows !== undefined)) return plan;
  const newVariable = freshVariables(plan);
  const rewrite = (part: Plan, variables: ScopeVariables): Plan => {
    if (part.kind === 'Let') {
      const value = rewrite(part.value, variables);
      return { ...part, value, body: rewrite(part.body, new Map([...variables, [part.id, bindingOfValue(value, variables)]])) };
    }
    const rewritten = mapChildren(part, (child) => rewrite(child, variables));
    return (rewritten.kind === 'Call' ? selectOf(rewritten, variables, newVariable) : null) ?? rewritten;
  };
  return rewrite(plan, new Map());
}

/** Returns the SELECT of a call over rows; null for other calls. */
function selectOf(call: Call, variables: ScopeVariables, newVariable: () => VariableId): Select | null {
  const [collection, bound] = call.arguments;
  const overRows = findFunction(call.function)?.overRows;
  if (overRows === undefined || collection === undefined || !isRows(collection.type) || !isRelational(collection, variables)) return null;
  if (collection.type.kind !== 'CollectionType') throw new Error('rows are a collection');
  const { span, type } = call;
  const row = newVariable();
  const item: Plan = { kind: 'Variable', type: collection.type.element, span, id: row };
  const select = { ...plainSelect(collection, { row, item, itemVariable: newVariable(), span }), type };
  return (ownValue(CHANGES, overRows) ?? aggregate(overRows))(select, bound);
}

type Change = (select: Select, bound: Plan | undefined) => Select | null;

/** The changes of a SELECT of all elements, other than an aggregate. Null if there is no SELECT for these arguments. */
const CHANGES: Readonly<Record<string, Change>> = {
  DISTINCT: (select) => ({ ...select, isDistinct: true, order: 'sorted' }),
  'ORDER BY': (select) => ({ ...select, orderBy: [{ value: select.item, isDescending: false, areNullsFirst: true }] }),
  LIMIT: (select, bound) => (isCount(bound) ? { ...select, limit: bound } : null),
  OFFSET: (select, bound) => (isCount(bound) ? { ...select, offset: bound } : null),
  'COUNT(*)': aggregate('COUNT', []),
};

function aggregate(name: string, args?: readonly Plan[]): Change {
  return (select) => ({
    ...select,
    isSingle: true,
    grouping: { keys: [], sets: null },
    order: 'sorted',
    item: {
      kind: 'Aggregate',
      type: select.type,
      span: select.span,
      function: name,
      arguments: args ?? [select.item],
      isDistinct: false,
      orderBy: [],
      filter: null,
    },
  });
}

/** LIMIT fails for a negative number and takes NULL as none, unlike TAKE and DROP. */
function isCount(bound: Plan | undefined): bound is Plan {
  return bound?.kind === 'Constant' && typeof bound.value === 'string' && !bound.value.startsWith('-');
}
