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
import { createScope } from '../scope.ts';
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
  const fields = createScope(scope, {
    find: (matches) =>
      rowType.kind !== 'RecordType'
        ? ofRow !== null && matches(ofRow)
          ? [{ name: ofRow, use: item }]
          : []
        : rowType.fields.flatMap((field, i): readonly Candidate[] =>
            matches(field.name) ? [{ name: field.name, use: (span) => fieldOf(item(span), i, placeOf(context, span)) }] : [],
          ),
    names: () => (rowType.kind === 'RecordType' ? rowType.fields.map((field) => field.name) : ofRow === null ? [] : [ofRow]),
  });
  const orderBy = node.orderBy.map((order) => {
    const { value } = order;
    const part = (index: number): Plan => (rowType.kind === 'RecordType' ? fieldOf(item(value.span), index, value.span) : item(value.span));
    const count = rowType.kind === 'RecordType' ? rowType.fields.length : 1;
    return makeSortKey(context, order, itemAtPosition(context, value, { count, at: part }) ?? checkValue(context, value, fields));
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
