import { plainSelect } from '../../plan/plain-select.ts';
import type { Plan } from '../../plan/plan.ts';
import type { OrderedChain } from '../../syntax/ast.ts';
import type { Span } from '../../text/span.ts';
import type { CheckContext } from '../check-context.ts';
import { freshVariable, placeOf } from '../check-context.ts';
import { checkValue } from '../check-value.ts';
import { keepingNull } from '../map-collection.ts';
import { isFaulty } from '../operand.ts';
import { fieldOf } from '../record-fields.ts';
import type { Candidate, Scope } from '../scope.ts';
import { createCandidateScope } from '../scope.ts';
import { makeSortKey } from '../sort-key.ts';
import { itemAtPosition } from './item-at-position.ts';
import { namedRowsOf } from './named-rows.ts';
import { checkBound } from './select.ts';

/** ORDER BY, LIMIT and OFFSET of a chain of set operators: a SELECT over the chain; NULL of one that is NULL. */
export function checkOrderedChain(context: CheckContext, node: OrderedChain, scope: Scope): Plan {
  const collection = checkValue(context, node.operand, scope);
  if (isFaulty(collection)) return collection;
  if (collection.type.kind !== 'CollectionType') throw new Error('set operators give a collection');
  const rowType = collection.type.element;
  const row = freshVariable(context);
  const item = (span: Span): Plan => ({ kind: 'Variable', type: rowType, span: placeOf(context, span), id: row });
  const ofRow = namedRowsOf(node.operand, scope).name();
  const isRecord = rowType.kind === 'RecordType';
  const names = isRecord ? rowType.fields.map(({ name }) => name) : ofRow === null ? [] : [ofRow];
  const part = (index: number, span: Span, at: Span): Plan => (isRecord ? fieldOf(item(span), index, at) : item(span));
  const fields = createCandidateScope(
    scope,
    names.map((name, i): Candidate => ({ name, use: (span) => part(i, span, placeOf(context, span)) })),
  );
  const orderBy = node.orderBy.map((order) => {
    const { value } = order;
    const items = { count: isRecord ? names.length : 1, at: (index: number) => part(index, value.span, value.span) };
    return makeSortKey(context, order, itemAtPosition(context, value, items) ?? checkValue(context, value, fields));
  });
  const limit = checkBound(context, node.limit, scope);
  const offset = checkBound(context, node.offset, scope);
  const span = placeOf(context, node.span);
  const itemVariable = freshVariable(context);
  return keepingNull(context, collection, span, (use) => {
    const select = plainSelect(use, { row, item: item(node.span), itemVariable, span });
    return { ...select, orderBy, limit, offset };
  });
}
