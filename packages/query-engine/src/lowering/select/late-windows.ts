import type { FrameEdge, Plan, Select, Variable, VariableId, WindowCall } from '@svc/query-language';
import { bool, boundBy, notNullable, nullable, PlanIndex, string } from '@svc/query-language';

import { canFail } from '../can-fail.ts';
import { newVariable } from '../functions-over-relations.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { usesAny } from '../variables.ts';
import { Attempts, choice, fieldOf, isNull, letBe, not, onlyWhere, unlessFailed, type Failure } from './attempts.ts';
import { captured } from './captured.ts';
import { finished, rowVariablesOf, type LateFailures } from './late-aggregates.ts';
import { mapOutside } from './map-outside.ts';
import { CERTAIN, mapPlaced, type Place } from './places.ts';
import { sureFailure } from './sure-failures.ts';

/**
 * The same Select where each window call that only some branch or TRY asks for fails there, as `withLateAggregates` does it: for
 * what fails of a row in its frame. What fails of the row itself, or of the keys of all rows, is asked first.
 */
export function withLateWindows(context: LoweringContext, plan: Select): LateFailures {
  const uses = new PlanIndex<{ isCertain: boolean }>();
  let areAllCertain = true;
  mapWindows(plan, (call, place) => {
    if (!canFail(call)) return call;
    const known = uses.find(call);
    areAllCertain &&= place.isCertain;
    if (known === undefined) uses.add(call, { isCertain: place.isCertain });
    else known.isCertain ||= place.isCertain;
    return call;
  });
  if (areAllCertain) return { plan, attempts: [] };
  const attempts = new Attempts(context);
  const made = new PlanIndex<Plan>();
  const rowVariables = rowVariablesOf(plan);
  const changed = mapWindows(plan, (call) => {
    const use = uses.find(call);
    if (use === undefined || use.isCertain) return call;
    let late = made.find(call);
    if (late === undefined) made.add(call, (late = lateForm(call, { context, attempts, rowVariables, failures: [], failed: [] })));
    return late;
  });
  return { plan: changed, attempts: attempts.made };
}

/** A Select with a change of each of its own window calls, where they stand, save those that use what a SELECT within binds. */
function mapWindows(plan: Select, change: (call: WindowCall, place: Place) => Plan): Select {
  const visit = (part: Plan, place: Place, within: ReadonlySet<VariableId>): Plan => {
    if (part.kind === 'WindowCall') return usesAny(part, within) ? part : change(part, place);
    if (part.kind !== 'Select') return mapPlaced(part, place, (child, at) => visit(child, at, within));
    const below = new Set([...within, ...boundBy(part)]);
    return mapOutside(part, (child) => visit(child, place, below));
  };
  const whole = (part: Plan): Plan => visit(part, CERTAIN, new Set());
  return { ...plan, item: whole(plan.item), orderBy: plan.orderBy.map((key) => ({ ...key, value: whole(key.value) })) };
}

/** Functions that give a row's value as it is: what failed of that row goes the same way. */
const OF_ONE_ROW = new Set(['LAG', 'LEAD', 'FIRST_VALUE', 'LAST_VALUE']);

/** A window call in the making, with what may have failed before it. */
interface Making {
  readonly context: LoweringContext;
  readonly attempts: Attempts;
  readonly rowVariables: ReadonlySet<VariableId>;
  readonly failures: Failure[];
  /** Calls that give what a row had that failed, and their variables. */
  readonly failed: { readonly variable: Variable; readonly call: WindowCall }[];
}

function lateForm(call: WindowCall, making: Making): Plan {
  const value = withTotalValues(withTotalNumbers(withTotalKeys(call, making), making), making);
  return making.failed.reduceRight(
    (body: Plan, { variable, call: failed }) => letBe(variable, failed, body),
    unlessFailed(making.failures, finished(value)),
  );
}

/** Notes that values fail as they did for the row of which a call gives what they use. */
function failAgain(call: WindowCall, of: (record: Plan) => readonly Plan[], { context, failures, failed }: Making): void {
  const variable: Variable = { kind: 'Variable', type: call.type, span: call.span, id: newVariable(context) };
  failed.push({ variable, call });
  failures.push({ when: not(isNull(variable)), values: of(variable) });
}

/** The keys of a window are those of all rows: one that fails leaves no row in its place. */
function withTotalKeys(call: WindowCall, making: Making): WindowCall {
  const keys = [...call.partitionBy, ...call.orderBy.map((key) => key.value)].filter(canFail);
  if (keys.length === 0) return call;
  const attempt = making.attempts.of(keys, call.span, sureFailure(keys, null, call.span));
  const total = totalOf(keys, attempt);
  const { record, of } = captured(keys, making.rowVariables, call.span);
  failAgain({ ...anyValue(call, record), partitionBy: [], orderBy: [], frame: null, filter: isNull(attempt) }, of, making);
  return {
    ...call,
    partitionBy: call.partitionBy.map(total),
    orderBy: call.orderBy.map((key) => ({ ...key, value: total(key.value) })),
  };
}

/** What a call takes of the row that it is of: how far to look, what else to give, how many buckets, the ends of the frame. */
function withTotalNumbers(call: WindowCall, { attempts, failures }: Making): WindowCall {
  const isOfRow = (i: number): boolean => call.function === 'NTILE' || ((call.function === 'LAG' || call.function === 'LEAD') && i > 0);
  const checked = (part: Plan): Plan => {
    if (call.function === 'NTILE') return atLeast(part, 1, 'NTILE needs at least one bucket');
    return part;
  };
  const numbers = call.arguments.map((argument, i) => (isOfRow(i) ? checked(argument) : null));
  const edges = [call.frame?.start, call.frame?.end].map((edge) =>
    edge?.offset === undefined || edge.offset === null ? null : atLeast(edge.offset, 0, 'the rows before or after must be counted from 0'),
  );
  const values = [...numbers, ...edges].filter((value) => value !== null).filter(canFail);
  if (values.length === 0) return call;
  const attempt = attempts.of(values, call.span, sureFailure(values, null, call.span));
  failures.push({ when: isNull(attempt), values });
  const total = totalOf(values, attempt);
  const known = (value: Plan, least: number): Plan => {
    const found = total(value);
    return found === value
      ? value
      : { kind: 'Coalesce', type: notNullable(value.type), span: value.span, operands: [found, number(value, least)] };
  };
  const edge = (at: FrameEdge, i: number): FrameEdge => {
    const value = edges[i] ?? null;
    return value === null ? at : { ...at, offset: known(value, 0) };
  };
  return {
    ...call,
    arguments: call.arguments.map((argument, i) => {
      const value = numbers[i] ?? null;
      return value === null ? argument : call.function === 'NTILE' ? known(value, 1) : total(value);
    }),
    frame: call.frame === null ? null : { start: edge(call.frame.start, 0), end: edge(call.frame.end, 1) },
  };
}

/** What a call takes of the rows of its frame. */
function withTotalValues(call: WindowCall, making: Making): WindowCall {
  const { filter, span } = call;
  const isFilterTried = filter !== null && canFail(filter);
  const tried = call.arguments.filter(canFail);
  if (tried.length === 0 && !isFilterTried) return call;
  const values = [...(isFilterTried ? [filter] : []), ...tried.map((value) => onlyWhere(filter, value))];
  const attempt = making.attempts.of(values, span, isFilterTried ? null : sureFailure(tried, filter, span));
  const { record, of } = captured(values, making.rowVariables, span);
  const total = (part: Plan): Plan => {
    const index = tried.indexOf(part);
    return index < 0 ? part : fieldOf(attempt, index + (isFilterTried ? 1 : 0), part.type);
  };
  const failed: WindowCall = OF_ONE_ROW.has(call.function)
    ? {
        ...call,
        type: nullable(record.type),
        arguments: [onlyWhere(isNull(attempt), record), ...call.arguments.slice(1, 2)],
        filter: null,
      }
    : { ...anyValue(call, record), filter: isNull(attempt) };
  failAgain(failed, of, making);
  return { ...call, arguments: call.arguments.map(total), filter: isFilterTried ? fieldOf(attempt, 0, filter.type) : filter };
}

/** Some value that is not NULL, of the rows of the same window. */
function anyValue(call: WindowCall, record: Plan): WindowCall {
  return { ...call, type: nullable(record.type), function: 'ANY_VALUE', arguments: [record], isDistinct: false };
}

/** What an attempt holds in place of a value that was attempted. */
function totalOf(tried: readonly Plan[], attempt: Plan): (part: Plan) => Plan {
  return (part) => {
    const index = tried.indexOf(part);
    return index < 0 ? part : fieldOf(attempt, index, part.type);
  };
}

/** The same number, which fails where it is less or NULL: a constant is known to be neither. */
function atLeast(value: Plan, least: number, message: string): Plan {
  if (value.kind === 'Constant' && typeof value.value === 'string' && Number(value.value) >= least) return value;
  const { span } = value;
  const when: Plan = { kind: 'Comparison', type: nullable(bool), span, operator: '>=', left: value, right: number(value, least) };
  const text: Plan = { kind: 'Constant', type: string, span, value: message };
  return choice(when, value, { kind: 'Call', type: nullable(value.type), span, function: 'ERROR', arguments: [text] });
}

function number({ type, span }: Plan, value: number): Plan {
  return { kind: 'Constant', type: notNullable(type), span, value: String(value) };
}
