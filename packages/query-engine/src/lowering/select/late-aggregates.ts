import type { Aggregate, Plan, Select, Variable, VariableId } from '@svc/query-language';
import { boundBySource, nullable, PlanIndex } from '@svc/query-language';

import { canFail } from '../can-fail.ts';
import { hasParts } from '../functions/aggregate-parts.ts';
import { newVariable } from '../functions-over-relations.ts';
import { holdsChance } from '../plan-form.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { Attempts, fieldOf, isNull, letBe, not, onlyWhere, unlessFailed, type Attempt } from './attempts.ts';
import { captured } from './captured.ts';
import { mapOutside } from './map-outside.ts';
import { CERTAIN, mapPlaced, type Place } from './places.ts';
import { sureFailure } from './sure-failures.ts';

/** A Select, and what has to be attempted of each of its rows for it. */
export interface LateFailures {
  readonly plan: Select;
  readonly attempts: readonly Attempt[];
}

/** Where the rows of a Select come from. */
interface RowsOfSelect {
  readonly rowVariables: ReadonlySet<VariableId>;
  /** In TRY nobody is told what has failed. */
  readonly isInTry: boolean;
}

/** The variables that are bound to a Select's rows. */
export function rowVariablesOf({ sources }: Select): ReadonlySet<VariableId> {
  return new Set(sources.flatMap(boundBySource));
}

/**
 * The same grouped Select where each aggregate that only some branch or TRY asks for fails there. Aggregates are made before any
 * branch is chosen: so what those take is attempted row by row, of what failed they see NULL, and one row that failed is kept. Where the
 * branch is chosen its values are evaluated once more, and fail as they would have. What is asked for in any case stays as it is.
 */
export function withLateAggregates(context: LoweringContext, plan: Select, { rowVariables, isInTry }: RowsOfSelect): LateFailures {
  const uses = new PlanIndex<{ isCertain: boolean; isInTryAlone: boolean }>();
  let areAllCertain = true;
  const look = (aggregate: Aggregate, place: Place): Plan => {
    if (!canFail(aggregate)) return aggregate;
    const known = uses.find(aggregate);
    areAllCertain &&= place.isCertain;
    if (known === undefined) uses.add(aggregate, { isCertain: place.isCertain, isInTryAlone: isInTry || place.isInTry });
    else Object.assign(known, { isCertain: known.isCertain || place.isCertain, isInTryAlone: known.isInTryAlone && place.isInTry });
    return aggregate;
  };
  mapAggregates(plan, look);
  if (areAllCertain) return { plan, attempts: [] };
  const attempts = new Attempts(context);
  const made = new PlanIndex<Late>();
  const changed = mapAggregates(plan, (aggregate, place) => {
    const use = uses.find(aggregate);
    if (use === undefined || use.isCertain) return aggregate;
    let late = made.find(aggregate);
    if (late === undefined) made.add(aggregate, (late = lateForm(context, aggregate, attempts, use.isInTryAlone ? null : rowVariables)));
    return isInTry || place.isInTry ? late.silent : late.loud;
  });
  return { plan: changed, attempts: attempts.made };
}

/**
 * The aggregates of a Select over a list that fail where they are asked for if they are made there, and not before: each in one place,
 * where it is evaluated once. Null where that cannot be said of all that must not fail before.
 */
export function aggregatesInPlace(plan: Select): ReadonlyMap<Aggregate, Place> | null {
  const asked = new Map<Aggregate, Place>();
  const places = new PlanIndex<Place>();
  let areAll = true;
  mapAggregates(plan, (aggregate, place) => {
    if (!canFail(aggregate)) return aggregate;
    if (!place.isCertain) asked.set(aggregate, place);
    areAll &&= places.find(aggregate) === undefined && (place.isCertain || !(place.isRepeated || holdsChance(aggregate)));
    places.add(aggregate, place);
    return aggregate;
  });
  return areAll || asked.size === 0 ? asked : null;
}

/** A Select with a change of each of its own aggregates, where they stand. */
function mapAggregates(plan: Select, change: (aggregate: Aggregate, place: Place) => Plan): Select {
  const visit = (part: Plan, place: Place): Plan => {
    if (part.kind === 'Aggregate') return change(part, place);
    if (part.kind === 'Select' && part.grouping !== null) return mapOutside(part, (child) => visit(child, place));
    return mapPlaced(part, place, visit);
  };
  return {
    ...plan,
    item: visit(plan.item, CERTAIN),
    having: plan.having && visit(plan.having, CERTAIN),
    orderBy: plan.orderBy.map((key) => ({ ...key, value: visit(key.value, CERTAIN) })),
  };
}

/** An aggregate that fails where it stands; `silent` in TRY, without saying why. */
interface Late {
  readonly loud: Plan;
  readonly silent: Plan;
}

/** Without the variables of its rows an aggregate is asked for in TRY alone. */
function lateForm(context: LoweringContext, aggregate: Aggregate, attempts: Attempts, rowVariables: ReadonlySet<VariableId> | null): Late {
  const { span, filter } = aggregate;
  const keys = aggregate.isDistinct ? [] : aggregate.orderBy.map((key) => key.value);
  const isFilterTried = filter !== null && canFail(filter);
  const tried = [...aggregate.arguments, ...keys].filter(canFail);
  if (tried.length === 0 && !isFilterTried) return { loud: finished(aggregate), silent: finished(aggregate) };
  const values = [...(isFilterTried ? [filter] : []), ...tried.map((value) => onlyWhere(filter, value))];
  const attempt = attempts.of(values, span, isFilterTried ? null : sureFailure(tried, filter, span));
  const total = (part: Plan): Plan => {
    const index = tried.indexOf(part);
    return index < 0 ? part : fieldOf(attempt, index + (isFilterTried ? 1 : 0), part.type);
  };
  const value = finished({
    ...aggregate,
    arguments: aggregate.arguments.map(total),
    // Distinct values are ordered by themselves.
    orderBy: aggregate.orderBy.map((key) => ({
      ...key,
      value: total(aggregate.isDistinct ? (aggregate.arguments[0] ?? key.value) : key.value),
    })),
    filter: isFilterTried ? fieldOf(attempt, 0, filter.type) : filter,
  });
  const capture = captured(values, rowVariables ?? new Set(), span);
  const record = rowVariables === null ? captured([], new Set(), span).record : capture.record;
  const failed: Aggregate = {
    kind: 'Aggregate',
    type: nullable(record.type),
    span,
    function: 'ANY_VALUE',
    arguments: [record],
    isDistinct: false,
    orderBy: [],
    filter: isNull(attempt),
  };
  const known: Variable = { kind: 'Variable', type: failed.type, span, id: newVariable(context) };
  const loud = unlessFailed([{ when: not(isNull(known)), values: capture.of(known) }], value);
  return { loud: letBe(known, failed, loud), silent: unlessFailed([{ when: not(isNull(failed)), values: [] }], value) };
}

/** An aggregate that can fail of itself as what it is of its parts. */
export function finished<P extends Aggregate | Extract<Plan, { readonly kind: 'WindowCall' }>>(call: P): Plan {
  if (!hasParts(call)) return call;
  const parts: Plan = { ...call, function: `${call.function}_PARTS` };
  return { kind: 'Call', type: call.type, span: call.span, function: `${call.function}_OF_PARTS`, arguments: [parts] };
}
