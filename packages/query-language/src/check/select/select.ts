import type { Plan, Select, SortKey } from '../../plan/plan.ts';
import { usesAny } from '../../plan/variables.ts';
import type { Expression, OrderItem, SelectExpression } from '../../syntax/ast.ts';
import type { Span } from '../../text/span.ts';
import type { Type } from '../../types/type.ts';
import { collectionOf, isComparable, long, nullable, printType } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, isFaulty } from '../operand.ts';
import { freshVariable, placeOf, report, tryCheck } from '../check-context.ts';
import { expectOperand } from '../convert.ts';
import { checkCondition, checkValue } from '../check-value.ts';
import { makeRecord } from '../record-fields.ts';
import { repeatedBy, spansOf } from '../repeated.ts';
import type { Candidate, Scope } from '../scope.ts';
import { createScope, keyOfName } from '../scope.ts';
import { checkRowCondition } from '../membership.ts';
import { makeSortKey } from '../sort-key.ts';
import { hasOwnAggregate, keysOfItems } from './aggregate-query.ts';
import { groupOf } from './group.ts';
import { openGrouping } from './grouping.ts';
import { checkRowFilter, filterRows, hasRowFilter } from './filter-rows.ts';
import { checkItems } from './items.ts';
import type { SelectFrame } from './select-frame.ts';
import { inPhase, isOverGroups } from './select-frame.ts';
import type { CheckedSources } from './checked-source.ts';
import { rowOfAggregateQuery } from './row-of-aggregate-query.ts';
import type { SortPlace } from './sort-value.ts';
import { checkSortValue } from './sort-value.ts';
import { checkSources } from './sources.ts';
import { fieldsOfAll } from './fields-of-sources.ts';
import { rowOf, variablesOf } from './checked-source.ts';
import { windowsOverGroups } from './windows-over-groups.ts';

/** Checks a SELECT. The plan is one block (see `Select`), or two nested ones for QUALIFY and DISTINCT ON. */
export function checkSelect(context: CheckContext, written: SelectExpression, outer: Scope): Plan {
  if (!written.isGroupedByAll) return checkBlock(context, written, outer);
  const groupBy = keysOfItems(written, outer);
  const plan = checkBlock(context, { ...written, groupBy, isGroupedByAll: false }, outer);
  return plan.kind === 'Select' && plan.isSingle ? rowOfAggregateQuery(context, plan) : plan;
}

function checkBlock(context: CheckContext, node: SelectExpression, outer: Scope): Plan {
  const faultsBefore = context.diagnostics.count;
  const isGrouped = node.groupBy.length > 0 || hasOwnAggregate(node, outer);
  let found: CheckedSources | null = null;
  const frame = createFrame(context, node, () => found);
  for (const same of repeatedBy(node.windows, ({ name }) => keyOfName(name)))
    report(context, 'declared-twice', spansOf(same), same[0].name.text);
  const checked = checkSources(context, node, outer, frame);
  found = checked;
  const where = node.where === null ? null : checkRowCondition(context, node.where, checked.scope);
  const grouping = isGrouped ? openGrouping(context, node, { scope: checked.scope, frame, sources: checked.sources }) : null;
  const scope = grouping?.scope ?? checked.scope;
  const ground = grouping?.ground ?? ((plan: Plan): Plan => plan);
  const itemVariable = freshVariable(context);
  const { items, having, orderBy, filter } = inPhase(frame, isGrouped ? 'group' : 'row', () => {
    const found = checkItems(context, node, { sources: checked, scope, isGrouped, hasNoSource: node.sources.length === 0 });
    const withAliases = aliasScope(context, { node, scope, rows: checked.scope });
    // Aggregates and windows range over rows or groups, which have no items: there a name is a field, or the item's
    // expression over them.
    const areSeen = (): boolean => frame.phase === 'row' || frame.phase === 'group';
    const own = variablesOf(checked.sources);
    const { isDistinct } = node;
    const itemsAgain = hasRowFilter(node) && !isDistinct ? scope : null;
    const place = { items: found, scope: withAliases, itemVariable, isDistinct, areSeen, itemsAgain, own };
    const rowsOnly = { ...place, isDistinct: false, itemsAgain: scope };
    const sortKey = (key: OrderItem, at: SortPlace): SortKey => makeSortKey(context, key, ground(checkSortValue(context, key.value, at)));
    return {
      items: { ...found, plan: ground(found.plan) },
      having: node.having === null ? null : ground(checkCondition(context, node.having, withAliases)),
      orderBy: node.orderBy.map((key) => sortKey(key, place)),
      filter: checkRowFilter(context, node, {
        check: (value) => ground(checkSortValue(context, value, rowsOnly)),
        sort: (key) => sortKey(key, rowsOnly),
      }),
    };
  });
  const isSingle = isGrouped && node.groupBy.length === 0;
  const bound = isSingle ? boundOfOneValue(node) : null;
  if (bound !== null) report(context, 'bound-of-one-value', bound.span);
  const limit = checkBound(context, node.limit, outer, checked.scope);
  const offset = checkBound(context, node.offset, outer, checked.scope);
  if (context.diagnostics.count > faultsBefore || isFaulty(items.plan)) return errorPlan(node.span);
  if (node.isDistinct && !isComparable(items.plan.type)) return report(context, 'not-comparable', node.span, printType(items.plan.type));
  const single: Type = node.having === null ? items.plan.type : nullable(items.plan.type);
  const select: Select = {
    kind: 'Select',
    type: isSingle ? single : collectionOf(items.plan.type),
    span: placeOf(context, node.span),
    sources: checked.sources.map((source) => ({ ...source.plan, isOptional: source.isOptional })),
    where,
    grouping: grouping?.plan ?? null,
    having,
    item: items.plan,
    isSingle,
    isDistinct: node.isDistinct,
    itemVariable,
    orderBy,
    limit: isSingle ? null : limit,
    offset: isSingle ? null : offset,
    order: orderOf(node, checked, isGrouped),
  };
  return filter === null ? windowsOverGroups(context, select) : filterRows(context, select, filter);
}

/** Returns the bound by which an aggregate query's one value might be missing: all but `LIMIT 100` and `OFFSET 0`, which tools add to any query. */
function boundOfOneValue({ limit, offset }: SelectExpression): Expression | null {
  const isNumber = (bound: Expression, digits: RegExp): boolean => bound.kind === 'NumberLiteral' && digits.test(bound.text);
  if (limit !== null && !isNumber(limit, /^0*[1-9]\d*$/)) return limit;
  return offset !== null && !isNumber(offset, /^0+$/) ? offset : null;
}

/** Returns the order that a SELECT without ORDER BY guarantees. */
function orderOf(node: SelectExpression, checked: CheckedSources, isGrouped: boolean): Select['order'] {
  if (isGrouped || node.isDistinct) return 'sorted';
  const rows = new Set<number>();
  for (const [i, source] of checked.sources.entries()) {
    if (i > 0 && !usesAny(source.plan.collection, rows)) return 'none';
    rows.add(source.plan.row);
  }
  return 'source';
}

/** Creates the frame of a SELECT. */
function createFrame(context: CheckContext, node: SelectExpression, checked: () => CheckedSources | null): SelectFrame {
  const row = (span: Span): Plan => {
    const found = checked();
    if (found === null) return report(context, 'star-in-sources', span);
    if (node.sources.length === 0) return report(context, 'star-without-from', span);
    const [only] = found.sources;
    if (only !== undefined && found.sources.length === 1) return rowOf(only, span);
    return makeRecord(context, span, fieldsOfAll(context, found, span));
  };
  const frame: SelectFrame = {
    phase: 'sources',
    hasKeys: node.groupBy.length > 0 && node.groupingSets?.some((set) => set.length === 0) !== true,
    items: node.items,
    windows: node.windows,
    star: (span) =>
      isOverGroups(frame)
        ? groupOf(
            context,
            inPhase(frame, 'aggregate', () => row(span)),
            span,
          )
        : row(span),
  };
  return frame;
}

/** Checks LIMIT or OFFSET. They may use outer names, but not the SELECT's own rows, which are visible in `inner`. */
export function checkBound(context: CheckContext, bound: Expression | null, outer: Scope, inner: Scope = outer): Plan | null {
  if (bound === null) return null;
  const tried = tryCheck(context, () => checkValue(context, bound, outer));
  if (tried !== null) return isFaulty(tried) ? tried : expectOperand(context, tried, long, bound.span);
  const isByRow = context.diagnostics.isTrial || tryCheck(context, () => checkValue(context, bound, inner)) !== null;
  return isByRow ? report(context, 'bound-by-row', bound.span) : checkValue(context, bound, outer);
}

/** Creates a scope with item names after the fields; `scope` is that of groups, over `rows`. */
function aliasScope(
  context: CheckContext,
  { node, scope, rows }: { readonly node: SelectExpression; readonly scope: Scope; readonly rows: Scope },
): Scope {
  const aliases = createScope(rows.parent, {
    find: (matches) =>
      node.items.flatMap((item): readonly Candidate[] =>
        item.kind === 'ExpressionItem' && item.alias !== null && matches(item.alias.text)
          ? [{ name: item.alias.text, role: 'item', use: () => checkValue(context, item.value, scope) }]
          : [],
      ),
  });
  const fields = { ...rows, parent: aliases };
  return scope === rows ? fields : { ...scope, parent: fields };
}
