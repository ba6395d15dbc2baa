import type { GroupKey, Plan, Select, VariableId } from '../../plan/plan.ts';
import { isSamePlan } from '../../plan/same-plan.ts';
import { mapChildren } from '../../plan/map-children.ts';
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
                isFunction: false,
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
  return {
    keys: keys.map(({ id, value }) => ({ id, value })),
    scope: named,
    ground: (plan) => overCollectedRows(context, ground(context, plan, { keys, rows, hasBrokenKey }), at.sources),
  };
}

/** A key: a position among the items, an expression, or (where no field has it) an item's name. */
function checkKey(context: CheckContext, node: SelectExpression, value: Expression, scope: Scope): Plan {
  if (value.kind === 'NumberLiteral' && (value.type === 'int' || value.type === 'long')) {
    const item = node.items[Number(value.text) - 1];
    if (item?.kind !== 'ExpressionItem') return report(context, 'no-such-item', value.span, value.text, node.items.length);
    return checkValue(context, item.value, scope);
  }
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
  readonly rows: ReadonlyMap<VariableId, string>;
  /** What the missing key would have been is not known, so nothing is said about fields. */
  readonly hasBrokenKey: boolean;
}

/** Walks from the top: the largest expression that repeats a key is the key; aggregates of this SELECT see rows. */
function ground(context: CheckContext, plan: Plan, at: Ground): Plan {
  const key = at.keys.find((candidate) => isSamePlan(candidate.value, plan));
  if (key !== undefined) return { kind: 'Variable', type: plan.type, span: plan.span, id: key.id };
  if (plan.kind === 'Aggregate') return plan;
  if (plan.kind === 'Variable' && at.rows.has(plan.id)) return ungrouped(context, plan, at.rows.get(plan.id) ?? '*', at);
  if (plan.kind === 'Field' && plan.target.kind === 'Variable' && at.rows.has(plan.target.id)) {
    const record = plan.target.type;
    const name = record.kind === 'RecordType' ? record.fields[plan.index]?.name : undefined;
    return ungrouped(context, plan, name ?? '*', at);
  }
  if (plan.kind === 'Select') return groundSelect(context, plan, at);
  return mapChildren(withKeysOfChain(plan, at.keys), (child) => ground(context, child, at));
}

/**
 * An inner SELECT: aggregates in its FROM, LIMIT and OFFSET are this SELECT's, those in its items its own if it has groups.
 * Below those, rows of this SELECT still need grounding.
 */
function groundSelect(context: CheckContext, plan: Select, at: Ground): Plan {
  const inner = (child: Plan): Plan => {
    if (!usesRows(child, at.rows)) return child;
    if (child.kind === 'Aggregate') return plan.grouping === null ? child : mapChildren(child, inner);
    return groundBelow(context, child, at, inner);
  };
  const sources = plan.sources.map((source) => ({
    ...source,
    collection: ground(context, source.collection, at),
    on: source.on === null ? null : inner(source.on),
  }));
  const bound = (limit: Plan | null): Plan | null => (limit === null ? null : ground(context, limit, at));
  const rest = mapChildren({ ...plan, sources: [], limit: null, offset: null }, inner);
  return rest.kind === 'Select' ? { ...rest, sources, limit: bound(plan.limit), offset: bound(plan.offset) } : rest;
}

/** One node below an inner SELECT: a key, a field of ours that is none, or something to look into. */
function groundBelow(context: CheckContext, plan: Plan, at: Ground, inner: (child: Plan) => Plan): Plan {
  const isOurs = plan.kind === 'Variable' || plan.kind === 'Field' || at.keys.some((key) => isSamePlan(key.value, plan));
  if (isOurs) return ground(context, plan, at);
  if (plan.kind === 'Select') return groundSelect(context, plan, at);
  const chain = withKeysOfChain(plan, at.keys);
  return chain === plan ? mapChildren(plan, inner) : ground(context, chain, at);
}

function usesRows(plan: Plan, rows: ReadonlyMap<VariableId, string>): boolean {
  let found = plan.kind === 'Variable' && rows.has(plan.id);
  if (!found)
    mapChildren(plan, (child) => {
      found ||= usesRows(child, rows);
      return child;
    });
  return found;
}

function ungrouped(context: CheckContext, plan: Plan, name: string, at: Ground): Plan {
  if (!at.hasBrokenKey) report(context, 'ungrouped-name', plan.span, name);
  return errorPlan(plan.span);
}
