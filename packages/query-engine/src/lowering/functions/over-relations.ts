import type { Call, Plan, Select } from '@svc/query-language';
import { long, ownValue, plainSelect } from '@svc/query-language';

import { isRelational } from '../../analysis/relational-analysis.ts';
import { castTo, SQL, type Sql } from '../../sql/sql.ts';
import { collectionRelation } from '../collection-value.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { newVariable } from '../lowering-context.ts';
import { elementOf } from '../relation.ts';
import type { Scope } from '../scope.ts';

/** Functions that aggregate the elements of a collection, and the aggregate that they are of rows. */
const AGGREGATES: Readonly<Record<string, string>> = {
  LEN: 'COUNT',
  CCOUNT: 'COUNT',
  CSUM: 'SUM',
  CMIN: 'MIN',
  CMAX: 'MAX',
  CAVG: 'AVG',
  CFIRST: 'FIRST',
  CLAST: 'LAST',
};

/** Lowers a call over a relation without materializing a list; null for other calls. */
export function lowerCallOverRelation(context: LoweringContext, plan: Call, scope: Scope): Sql | null {
  const [collection] = plan.arguments;
  if (collection?.type.kind !== 'CollectionType' || collection.type.isNullable || !isRelational(collection, scope.variables)) return null;
  if (plan.function === 'EXISTS' && scope.lambda === null && !scope.isInTry)
    return SQL`EXISTS (${collectionRelation(context, collection, scope)})`;
  const aggregate = ownValue(AGGREGATES, plan.function);
  if (aggregate === undefined || plan.arguments.length !== 1) return null;
  const base = selectAll(context, plan, collection);
  const select: Select = {
    ...base,
    type: plan.type,
    isSingle: true,
    grouping: { keys: [], sets: null },
    order: 'sorted',
    item: {
      kind: 'Aggregate',
      type: plan.function === 'LEN' ? long : plan.type,
      span: plan.span,
      function: aggregate,
      arguments: plan.function === 'LEN' ? [] : [base.item],
      isDistinct: false,
      orderBy: [],
      filter: null,
    },
  };
  // COUNT is a long, LEN an int, and so must be its arithmetic.
  return plan.function === 'LEN'
    ? castTo(context.lowerValue({ ...select, type: long }, scope), 'INTEGER')
    : context.lowerValue(select, scope);
}

/** Converts TAKE, DROP, DISTINCT and SORT of a relation to a SELECT; null for other calls. */
export function selectOfCall(context: LoweringContext, plan: Call): Select | null {
  const [collection, bound] = plan.arguments;
  if (collection?.type.kind !== 'CollectionType' || collection.type.isNullable) return null;
  const base = selectAll(context, plan, collection);
  switch (plan.function) {
    case 'DISTINCT':
      return { ...base, isDistinct: true, order: 'sorted' };
    case 'SORT':
      return { ...base, orderBy: [{ value: base.item, isDescending: false, areNullsFirst: true }] };
    case 'TAKE':
      return isCount(bound) ? { ...base, limit: bound } : null;
    case 'DROP':
      return isCount(bound) ? { ...base, offset: bound } : null;
    default:
      return null;
  }
}

function isCount(bound: Plan | undefined): bound is Plan {
  return bound?.kind === 'Constant' && typeof bound.value === 'string' && !bound.value.startsWith('-');
}

function selectAll(context: LoweringContext, plan: Call, collection: Plan): Select {
  const row = newVariable(context);
  const { span } = plan;
  const item: Plan = { kind: 'Variable', type: elementOf(collection.type), span, id: row };
  return { ...plainSelect(collection, { row, item, itemVariable: newVariable(context), span }), type: plan.type };
}
