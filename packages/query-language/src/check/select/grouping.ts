import type { Aggregate, GroupKey, Plan, Select, VariableId } from '../../plan/plan.ts';
import { PlanIndex } from '../../plan/plan-index.ts';
import { mapChildren, mapSelect } from '../../plan/map-children.ts';
import type { Expression, SelectExpression } from '../../syntax/ast.ts';
import { isKey, printType } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, freshVariable, placeOf, report, tryCheck } from '../check-context.ts';
import { checkValue } from '../expression.ts';
import { isFaulty } from '../operand.ts';
import type { Candidate, Scope } from '../scope.ts';
import { createScope } from '../scope.ts';
import type { SelectFrame } from './select-frame.ts';
import { isOverGroups } from './select-frame.ts';
import { itemAtPosition } from './item-at-position.ts';
import { overCollectedRows } from './aggregates-within.ts';
import { withKeysOfChain } from './keys-of-chain.ts';
import type { CheckedSource } from './sources.ts';

/** The keys of a grouped SELECT, and what they make of its items. */
export interface Grouping {
  readonly keys: readonly GroupKey[];
  /** The scope of items, HAVING and ORDER BY: names given to keys come before fields. */
  readonly scope: Scope;
  /** The plan with keys in place of the expressions that repeat them; a field that is neither key nor aggregated is a fault. */
  readonly ground: (plan: Plan) => Plan;
}

/** Checks GROUP BY; without one the group is all rows. */
export function openGrouping(
  context: CheckContext,
  node: SelectExpression,
  at: { readonly scope: Scope; readonly frame: SelectFrame; readonly sources: readonly CheckedSource[] },
): Grouping {
  const { scope, frame } = at;
  let hasBrokenKey = false;
  const keys = node.groupBy.flatMap((item) => {
    const value = checkKey(context, node, item.value, scope);
    if (isFaulty(value) || !isKey(value.type)) {
      if (!isFaulty(value)) report(context, 'not-a-key', item.value.span, printType(value.type));
      hasBrokenKey = true;
      return [];
    }
    return [{ id: freshVariable(context), value, alias: item.alias?.text ?? null, written: item.value }];
  });
  const named = createScope(scope, {
    find: (matches) =>
      keys.flatMap((key): readonly Candidate[] =>
        key.alias !== null && matches(key.alias)
          ? [
              {
                name: key.alias,
                use: (span) =>
                  isOverGroups(frame)
                    ? { kind: 'Variable', type: key.value.type, span: placeOf(context, span), id: key.id }
                    : checkValue(context, key.written, scope),
              },
            ]
          : [],
      ),
    names: () => keys.flatMap((key) => (key.alias === null ? [] : [key.alias])),
    frame,
  });
  const rows = new Map<VariableId, string>();
  for (const source of at.sources) {
    rows.set(source.plan.row, source.alias ?? '*');
    if (source.plan.position !== null) rows.set(source.plan.position, source.position ?? '*');
  }
  const repeatable = keys.filter(({ value }) => value.kind !== 'Constant'); // a constant among the items is what it is, and may have to be one
  const idOf = new PlanIndex<VariableId>();
  for (const { id, value } of repeatable) idOf.add(value, id);
  return {
    keys: keys.map(({ id, value }) => ({ id, value })),
    scope: named,
    ground: (plan) => overCollectedRows(context, ground(context, plan, { keys: repeatable, idOf, rows, hasBrokenKey }), at.sources),
  };
}

/** A key: a position among the items, an expression, or (where no field has it) an item's name. */
function checkKey(context: CheckContext, node: SelectExpression, value: Expression, scope: Scope): Plan {
  const ofItem = (index: number): Plan | null => {
    const item = node.items[index];
    return item?.kind === 'ExpressionItem' ? checkValue(context, item.value, scope) : null;
  };
  const atPosition = itemAtPosition(context, value, { count: node.items.length, at: ofItem });
  if (atPosition !== null) return atPosition;
  if (value.kind === 'NameExpression') {
    const folded = value.name.text.toLowerCase();
    const item = node.items.find((candidate) => candidate.kind === 'ExpressionItem' && candidate.alias?.text.toLowerCase() === folded);
    if (item?.kind === 'ExpressionItem' && tryCheck(context, () => checkValue(context, value, scope)) === null)
      return checkValue(context, item.value, scope);
  }
  return checkValue(context, value, scope);
}

interface Ground {
  readonly keys: readonly GroupKey[];
  readonly idOf: PlanIndex<VariableId>;
  readonly rows: ReadonlyMap<VariableId, string>;
  /** What the missing key would have been is not known, so nothing is said about fields. */
  readonly hasBrokenKey: boolean;
}

/** Walks from the top: the largest expression that repeats a key is the key; aggregates of this SELECT, which `aggregate` leaves alone, see rows. */
function ground(context: CheckContext, plan: Plan, at: Ground, aggregate: (own: Aggregate) => Plan = (own) => own): Plan {
  const id = at.idOf.find(plan);
  if (id !== undefined) return { kind: 'Variable', type: plan.type, span: plan.span, id };
  if (plan.kind === 'Aggregate') return aggregate(plan);
  if (plan.kind === 'Variable' && at.rows.has(plan.id)) return ungrouped(context, plan, at.rows.get(plan.id) ?? '*', at);
  if (plan.kind === 'Field' && plan.target.kind === 'Variable' && at.rows.has(plan.target.id)) {
    const record = plan.target.type;
    const name = record.kind === 'RecordType' ? record.fields[plan.index]?.name : undefined;
    return ungrouped(context, plan, name ?? '*', at);
  }
  if (plan.kind === 'Select') return groundSelect(context, plan, at, aggregate);
  return mapChildren(withKeysOfChain(plan, at.keys), (child) => ground(context, child, at, aggregate));
}

/** A SELECT within: aggregates in its FROM and bounds are the SELECT's around it; those in its items are its own if it has groups, and see of this one only keys. */
function groundSelect(context: CheckContext, select: Select, at: Ground, aggregate: (own: Aggregate) => Plan): Select {
  const inner = (child: Plan): Plan => ground(context, child, at, (own) => (select.grouping === null ? own : mapChildren(own, inner)));
  return mapSelect(select, (child) => ground(context, child, at, aggregate), inner);
}

function ungrouped(context: CheckContext, plan: Plan, name: string, at: Ground): Plan {
  if (!at.hasBrokenKey) report(context, 'ungrouped-name', plan.span, name);
  return errorPlan(plan.span);
}
