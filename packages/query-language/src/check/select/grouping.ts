import { constant } from '../../plan/build-plan.ts';
import type { Aggregate, Grouping, GroupKey, Plan, Select, VariableId } from '../../plan/plan.ts';
import { childrenOfPlan } from '../../plan/children-of-plan.ts';
import { PlanIndex } from '../../plan/plan-index.ts';
import { mapChildren, mapSelect } from '../../plan/map-children.ts';
import type { Expression, SelectExpression } from '../../syntax/ast.ts';
import type { Span } from '../../text/span.ts';
import type { FieldType } from '../../types/type.ts';
import { isComparable, long, nullable, printType } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, isFaulty } from '../operand.ts';
import { freshVariable, placeOf, report, tryCheck } from '../check-context.ts';
import { checkValue } from '../check-value.ts';
import { quotedField } from '../quoted-field.ts';
import type { Candidate, Scope } from '../scope.ts';
import { createScope } from '../scope.ts';
import type { SelectFrame } from './select-frame.ts';
import { nameOfAggregate } from './aggregate-query.ts';
import { isOverGroups } from './select-frame.ts';
import { itemAtPosition } from './item-at-position.ts';
import { overCollectedRows } from './aggregates-within.ts';
import { withKeysOfChain } from './keys-of-chain.ts';
import type { CheckedSource } from './checked-source.ts';

/** Result of checking GROUP BY: the keys, and the rewrite of items over them. */
export interface OpenGrouping {
  readonly plan: Grouping;
  /** Scope of items, HAVING and ORDER BY: aliases of keys take precedence over fields. */
  readonly scope: Scope;
  /** Rewrites a plan over keys. Reports a field that is neither a key nor aggregated. */
  readonly ground: (plan: Plan) => Plan;
}

/** Checks GROUP BY; without one the group is all rows. */
export function openGrouping(
  context: CheckContext,
  node: SelectExpression,
  at: { readonly scope: Scope; readonly frame: SelectFrame; readonly sources: readonly CheckedSource[] },
): OpenGrouping {
  const { scope, frame } = at;
  let hasBrokenKey = false;
  const written = node.groupBy.flatMap((item) => {
    const value = checkKey(context, node, item.value, scope);
    if (isFaulty(value) || !isComparable(value.type)) {
      if (!isFaulty(value)) report(context, 'not-a-key', item.value.span, printType(value.type));
      hasBrokenKey = true;
      return [];
    }
    const rolledUp = node.groupingSets === null ? null : freshVariable(context);
    return [{ id: freshVariable(context), value, rolledUp, alias: item.alias?.text ?? null, written: item.value }];
  });
  const { keys, sets } = hasBrokenKey || node.groupingSets === null ? { keys: written, sets: null } : eachOnce(written, node.groupingSets);
  const rolledUp = sets === null ? [] : keys.filter((_, place) => sets.some((set) => !set.includes(place)));
  for (const { value, written: key } of rolledUp) if (value.kind === 'Constant') report(context, 'rolled-up-constant', key.span);
  noteRolledUp(at.sources, rolledUp);
  const named = createScope(scope, {
    find: (matches) =>
      keys.flatMap((key): readonly Candidate[] =>
        key.alias !== null && matches(key.alias)
          ? [
              {
                name: key.alias,
                use: (span) => (isOverGroups(frame) ? keyVariable(key, placeOf(context, span)) : checkValue(context, key.written, scope)),
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
  const beside = { aggregate: (): string | null => (node.groupBy.length > 0 ? null : nameOfAggregate(node, scope)), isReported: false };
  const repeatable = keys.filter(({ value }) => value.kind !== 'Constant'); // a constant among the items stays one: some rules require it
  const keyOf = new PlanIndex<GroupKey>();
  for (const key of repeatable) keyOf.add(key.value, key);
  const grounds: Ground = { keys: repeatable, keyOf, rolledUp: new Set(rolledUp.map(({ id }) => id)), rows, hasBrokenKey, beside };
  return {
    plan: { keys: keys.map(({ id, value, rolledUp }) => ({ id, value, rolledUp })), sets },
    scope: named,
    ground: (plan) => overCollectedRows(context, ground(context, plan, grounds), at.sources),
  };
}

/** Marks the fields of the keys that some grouping set omits as nullable in the items. */
function noteRolledUp(sources: readonly CheckedSource[], keys: readonly GroupKey[]): void {
  if (keys.length === 0) return;
  for (const source of sources) {
    const { row, position, rowType } = source.plan;
    const used = new Set<number | 'row' | 'position'>();
    const visit = (part: Plan): void => {
      if (part.kind === 'Field' && part.target.kind === 'Variable' && part.target.id === row) used.add(part.index);
      else if (part.kind === 'Variable' && (part.id === row || part.id === position)) used.add(part.id === row ? 'row' : 'position');
      else for (const child of childrenOfPlan(part)) visit(child);
    };
    for (const { value } of keys) visit(value);
    const ofField = (field: FieldType, i: number): FieldType => (used.has(i) ? { ...field, type: nullable(field.type) } : field);
    const ofFields = rowType.kind === 'RecordType' ? { ...rowType, fields: rowType.fields.map(ofField) } : rowType;
    source.overGroups = { rowType: used.has('row') ? nullable(ofFields) : ofFields, isPositionNullable: used.has('position') };
  }
}

/** Keys that are the same are one, in each grouping at most once. */
function eachOnce<Key extends GroupKey>(
  written: readonly Key[],
  sets: readonly (readonly number[])[],
): { readonly keys: readonly Key[]; readonly sets: readonly (readonly number[])[] } {
  const placeOfKey = new PlanIndex<number>();
  const keys: Key[] = [];
  const places = written.map((key) => {
    const known = placeOfKey.find(key.value);
    if (known !== undefined) return known;
    placeOfKey.add(key.value, keys.length);
    return keys.push(key) - 1;
  });
  return { keys, sets: sets.map((set) => [...new Set(set.map((place) => places[place] ?? 0))]) };
}

/** Checks a key: a position among the items, an expression, or (if no field has it) the name of an item. */
function checkKey(context: CheckContext, node: SelectExpression, value: Expression, scope: Scope): Plan {
  const quoted = quotedField(context, value, scope);
  if (quoted !== null) return quoted;
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
  readonly keyOf: PlanIndex<GroupKey>;
  /** The keys that some grouping has not. */
  readonly rolledUp: ReadonlySet<VariableId>;
  readonly rows: ReadonlyMap<VariableId, string>;
  /** True if a key has been reported: ungrouped fields are not reported then, since the key may have covered them. */
  readonly hasBrokenKey: boolean;
  /** Without GROUP BY: the aggregate that makes all rows one group. Named in one diagnostic only. */
  readonly beside: { readonly aggregate: () => string | null; isReported: boolean };
}

/**
 * Rewrites an expression over keys, top-down: the largest subexpression equal to a key becomes the key. Aggregates of this
 * SELECT still see rows and are passed to `aggregate`.
 */
function ground(context: CheckContext, plan: Plan, at: Ground, aggregate: (own: Aggregate) => Plan = (own) => own): Plan {
  const key = at.keyOf.find(plan);
  if (key !== undefined) {
    // The value is NULL although its type is not nullable; conditions on it would be folded wrongly.
    const isHidden = at.rolledUp.has(key.id) && !plan.type.isNullable;
    return isHidden ? report(context, 'key-never-null', plan.span) : keyVariable(key, plan.span);
  }
  if (plan.kind === 'Aggregate' && plan.function === GROUPING) return groupingOf(context, plan, at);
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

/** Returns the variable of a key for use in items, nullable if the key is rolled up. */
export function keyVariable({ id, value, rolledUp }: GroupKey, span: Span): Plan {
  return { kind: 'Variable', type: rolledUp === null ? value.type : nullable(value.type), span, id };
}

/** The name of the aggregate that represents a call of GROUPING until `groupingOf` replaces it. */
export const GROUPING = 'GROUPING';

/** `GROUPING(k, …)`: one bit per key, 1 if it is rolled up, the last key in the lowest bit. */
function groupingOf(context: CheckContext, call: Aggregate, at: Ground): Plan {
  const { span } = call;
  const number = (value: number): Plan => constant(long, String(value), span);
  const bits = call.arguments.map((argument, i): Plan => {
    const key = at.keyOf.find(argument);
    if (key === undefined) return at.hasBrokenKey ? errorPlan(argument.span) : report(context, 'not-a-group-key', argument.span);
    const bit: Plan = key.rolledUp === null ? number(0) : { kind: 'Variable', type: long, span, id: key.rolledUp };
    const weight = 2 ** (call.arguments.length - 1 - i);
    return weight === 1 ? bit : { kind: 'Arithmetic', type: long, span, operator: 'multiply', operands: [bit, number(weight)] };
  });
  return (
    bits.find(isFaulty) ??
    bits.reduce((left, right): Plan => ({ kind: 'Arithmetic', type: long, span, operator: 'add', operands: [left, right] }))
  );
}

/**
 * Rewrites a nested SELECT over keys. Aggregates in its FROM and bounds belong to this SELECT; those in its items are its
 * own if it is grouped, and see only keys of this SELECT.
 */
function groundSelect(context: CheckContext, select: Select, at: Ground, aggregate: (own: Aggregate) => Plan): Select {
  const inner = (child: Plan): Plan => ground(context, child, at, (own) => (select.grouping === null ? own : mapChildren(own, inner)));
  return mapSelect(select, (child) => ground(context, child, at, aggregate), inner);
}

function ungrouped(context: CheckContext, plan: Plan, name: string, at: Ground): Plan {
  if (at.hasBrokenKey) return errorPlan(plan.span);
  const aggregate = at.beside.isReported ? null : at.beside.aggregate();
  if (aggregate === null) return report(context, 'ungrouped-name', plan.span, name);
  at.beside.isReported = true;
  return report(context, 'ungrouped-beside', plan.span, name, aggregate);
}
