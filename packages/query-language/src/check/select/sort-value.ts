import type { Plan, VariableId } from '../../plan/plan.ts';
import { isSamePlan } from '../../plan/same-plan.ts';
import { usesAny } from '../../plan/variables.ts';
import type { Expression } from '../../syntax/ast.ts';
import { childrenOf, type SyntaxNode } from '../../syntax/walk.ts';
import type { CheckContext } from '../check-context.ts';
import { placeOf, report, tryCheck } from '../check-context.ts';
import { checkValue } from '../check-value.ts';
import { errorPlan, isFaulty } from '../operand.ts';
import { quotedField } from '../quoted-field.ts';
import { fieldOf } from '../record-fields.ts';
import type { Candidate, Scope } from '../scope.ts';
import { createScope, levelsOf } from '../scope.ts';
import { itemAtPosition } from './item-at-position.ts';
import type { CheckedItems } from './items.ts';
import { itemNamed } from './items.ts';

/** The names that a value of ORDER BY, QUALIFY or DISTINCT ON may use, and their meaning. */
export interface SortPlace {
  readonly items: CheckedItems;
  readonly scope: Scope;
  readonly itemVariable: VariableId;
  /** With DISTINCT the value is an expression over items, else over fields. */
  readonly isDistinct: boolean;
  /** Returns whether items are visible at the current position. */
  readonly areSeen: () => boolean;
  /** The scope in which items are checked again when they are named, so that the value depends on rows only. */
  readonly itemsAgain: Scope | null;
  /** The variables of the rows. */
  readonly own: ReadonlySet<VariableId>;
}

/** Checks a value of ORDER BY, QUALIFY or DISTINCT ON: a position, an item's name, or an expression over fields or items. */
export function checkSortValue(context: CheckContext, value: Expression, at: SortPlace): Plan {
  const { items, scope, itemVariable } = at;
  const quoted = quotedField(context, value, scope);
  if (quoted !== null) return quoted;
  const item: Plan = { kind: 'Variable', type: items.plan.type, span: placeOf(context, value.span), id: itemVariable };
  const ofItem = (index: number): Plan => {
    const expression = items.items[index]?.expression ?? null;
    if (at.itemsAgain !== null && expression !== null) return checkValue(context, expression, at.itemsAgain);
    const whole = at.itemsAgain === null ? item : items.plan;
    return items.isRecord && !isFaulty(whole) ? fieldOf(whole, index, value.span) : whole;
  };
  const atPosition = itemAtPosition(context, value, { count: items.items.length, at: ofItem });
  if (atPosition !== null) return atPosition;
  if (value.kind === 'NameExpression') {
    const index = itemNamed(items, value.name);
    if (index !== null) return ofItem(index);
  }
  const named = items.items.flatMap(({ name, isNamedByUser }, i) => (name === null ? [] : [{ name, isNamedByUser, use: () => ofItem(i) }]));
  if (!at.isDistinct) {
    const byUser = named.filter(({ isNamedByUser }) => isNamedByUser).map(({ name, use }): Candidate => ({ name, role: 'item', use }));
    const withItems = createScope(scope, { find: (matches) => (at.areSeen() ? byUser.filter(({ name }) => matches(name)) : []) });
    return checkValue(context, value, withItems);
  }
  const onlyItems = createScope(namesOnly(scope), { find: (matches) => named.filter(({ name }) => matches(name)) });
  const found = tryCheck(context, () => checkValue(context, value, onlyItems));
  if (found !== null && !usesAny(found, at.own)) return found;
  // Queries within each other, each checked twice, would take twice as long with each.
  const again = holdsQuery(value) ? null : tryCheck(context, () => checkValue(context, value, scope));
  const index = again === null ? -1 : valuesOf(items).findIndex((itemValue) => isSamePlan(itemValue, again));
  if (index >= 0) return ofItem(index); // an item that is written again
  // Reports faults of the expression itself; otherwise that it is not an item. The distinction does not matter in a trial.
  const isFaultyItself = !context.diagnostics.isTrial && isFaulty(checkValue(context, value, scope));
  return isFaultyItself ? errorPlan(value.span) : report(context, 'not-an-item', value.span);
}

function holdsQuery(node: SyntaxNode): boolean {
  return node.kind === 'SelectExpression' || childrenOf(node).some(holdsQuery);
}

/** Returns the value of each item. */
function valuesOf({ items, plan, isRecord }: CheckedItems): readonly Plan[] {
  if (!isRecord || isFaulty(plan)) return [plan];
  return plan.kind === 'RecordLiteral' ? plan.values : items.map((_, i) => fieldOf(plan, i, plan.span));
}

/** The names of all scopes, without the aggregates and the `*` that they have. */
function namesOnly(scope: Scope): Scope {
  return createScope(null, {
    find: (matches) => {
      for (const level of levelsOf(scope)) {
        const found = level.find(matches);
        if (found.length > 0) return found;
      }
      return [];
    },
  });
}
