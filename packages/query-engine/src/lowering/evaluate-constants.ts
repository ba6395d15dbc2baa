import type { Json } from '@duckdb/node-api';

import type { Constant, Plan, PrimitiveName, RecordLiteral, Type } from '@svc/query-language';
import { findFunction, mapChildren } from '@svc/query-language';

import { somePart, walkPlan } from '../analysis/variables.ts';
import { isVolatile } from '../analysis/volatility.ts';
import type { EngineLease } from '../instances/engine-lease.ts';
import { isEngineFailure } from '../statements/engine-failure.ts';
import { runStatement } from '../statements/run-statement.ts';
import { lowerPrepared } from './lower-plan.ts';

/** Lends an engine for a step. */
export type WithLease = <Result>(step: (lease: EngineLease) => Promise<Result>) => Promise<Result>;

/** Maximum number of expressions that are evaluated. */
const MOST = 50;

/**
 * Evaluates the computed constants that a prepared plan without parameters compares with, such as `TODAY() - interval "7
 * days"`, and returns the plan with their values. Returns it as it is if there are none, or if one of them fails.
 */
export async function evaluateConstants(plan: Plan, withLease: WithLease, signal: AbortSignal): Promise<Plan> {
  const computed = computedConstants(plan).slice(0, MOST);
  if (computed.length === 0) return plan;
  const values = await withLease((lease) => valuesOf(computed, lease, signal));
  return values.size === 0 ? plan : withValues(plan, values);
}

/** Types whose values, as the engine prints them, are those of a Constant. */
const PRINTED: ReadonlySet<PrimitiveName> = new Set(['byte', 'short', 'int', 'long', 'decimal', 'string', 'date', 'timestamp']);

function computedConstants(plan: Plan): readonly Plan[] {
  const found: Plan[] = [];
  walkPlan(plan, (part) => {
    if (part.kind === 'Comparison') found.push(...[part.left, part.right].filter(isComputed));
    else if (part.kind === 'Like') found.push(...[part.pattern].filter(isComputed));
    else if (part.kind === 'Call' && findFunction(part.function)?.asksStart === true)
      found.push(...part.arguments.slice(1).filter(isComputed));
    else if (part.kind === 'In' && part.collection.kind === 'CollectionLiteral') found.push(...part.collection.elements.filter(isComputed));
    else if (part.kind === 'Select') found.push(...[part.limit, part.offset].filter((bound) => bound !== null).filter(isComputed));
  });
  return found;
}

/** Parts whose value depends on rows, or that read them. */
const OF_ROWS: ReadonlySet<Plan['kind']> = new Set([
  ...([
    'Variable',
    'Parameter',
    'Read',
    'TableScan',
    'Select',
    'SetOperation',
    'Aggregate',
    'WindowCall',
    'Reduce',
    'Let',
    'Noted',
  ] as const),
]);

function isComputed(plan: Plan): boolean {
  const { type } = plan;
  if (type.kind !== 'PrimitiveType' || !PRINTED.has(type.name) || isConstant(plan)) return false;
  return !somePart(plan, ({ kind }) => OF_ROWS.has(kind)) && !isVolatile(plan);
}

function isConstant(plan: Plan): boolean {
  // A date becomes another text as a timestamp, a number does not in a wider type.
  return plan.kind === 'Constant' || (plan.kind === 'Convert' && !isPrimitive(plan.type, 'timestamp') && isConstant(plan.operand));
}

async function valuesOf(computed: readonly Plan[], lease: EngineLease, signal: AbortSignal): Promise<ReadonlyMap<Plan, Constant>> {
  const { sql, layout } = lowerPrepared(recordOf(computed), { reader: notHere, tableScan: notHere });
  const columns = layout.kind === 'columns' ? layout.columns.map(({ name }) => name) : [];
  try {
    const [row = {}] = await runStatement(lease, { sql, signal });
    return new Map(
      computed.flatMap((part, i) => {
        const constant = constantOf(part, row[columns[i] ?? '']);
        return constant === null ? [] : [[part, constant] as const];
      }),
    );
  } catch (thrown) {
    // The query fails where it evaluates them, if it does.
    if (isEngineFailure(thrown) && thrown.failureClass !== 'interrupted') return new Map();
    throw thrown;
  }
}

function notHere(): never {
  throw new Error('a constant reads nothing');
}

function recordOf(values: readonly Plan[]): RecordLiteral {
  const fields = values.map(({ type }, i) => ({ name: `v${i}`, type }));
  return { kind: 'RecordLiteral', type: { kind: 'RecordType', fields, isNullable: false }, span: { start: 0, end: 0 }, values };
}

/** Dates and timestamps of four-digit years; others are printed in another way. */
const PLAIN_MOMENT = /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d+)?)?$/;

function constantOf({ type, span }: Plan, value: Json | undefined): Constant | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  if (isPrimitive(type, 'date', 'timestamp') && !PLAIN_MOMENT.test(text)) return null;
  return { kind: 'Constant', type, span, value: text };
}

function isPrimitive(type: Type, ...names: readonly PrimitiveName[]): boolean {
  return type.kind === 'PrimitiveType' && names.includes(type.name);
}

function withValues(plan: Plan, values: ReadonlyMap<Plan, Constant>): Plan {
  return values.get(plan) ?? mapChildren(plan, (child) => withValues(child, values));
}
