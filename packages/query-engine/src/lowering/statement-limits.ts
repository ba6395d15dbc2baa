import type { Plan, Type } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

import type { LoweringContext } from './lowering-context.ts';
import { LoweringUnsupported } from './lowering-unsupported.ts';
import { planningSeconds, type Burden } from './planning-seconds.ts';

/**
 * The engine takes twice the time to plan a lambda for each one in whose body it stands: each character counts that many times.
 * This is about a tenth of a second of plain values, a second of those with many casts.
 */
const MAX_WEIGHT = 4_000_000;

/** What stands in fewer does not count, however much it is. */
const FEW = 6;

/** What repeats itself within itself grows past this before it is a burden. */
const MAX_SQL_LENGTH = 10_000_000;

/** The SQL of a value, or LoweringUnsupported at its place: it is too long or, where that is looked for, its lambdas are too deep. */
export function withinLimits(context: LoweringContext, plan: Plan, sql: string): string {
  if (sql.length > MAX_SQL_LENGTH)
    throw new LoweringUnsupported(
      'the program is too large once all that it repeats is written out: give what is used often a declaration',
      plan.span,
    );
  if (context.isDepthMeasured && !isPlannedSoon(sql))
    throw new LoweringUnsupported(
      'collections are worked on in too many levels within one another: give the inner ones a declaration of their own, or take them as sources in FROM',
      plan.span,
    );
  return sql;
}

/** So many levels of collections a result has at most: each is printed by a lambda, unless it holds what JSON has. */
const MAX_RESULT_LEVELS = 10;

const PRINTED_AS_THEY_ARE = new Set(['byte', 'short', 'int', 'long', 'bool', 'string']);

/** Refuses a result that would take too many lambdas to print. */
export function checkResultDepth({ type, span }: Plan): void {
  if (levelsOf(type) > MAX_RESULT_LEVELS)
    throw new LoweringUnsupported(
      `the result has more than ${MAX_RESULT_LEVELS} levels of collections: give fewer, or the inner ones as text by TO_JSON`,
      span,
    );
}

/** The levels of collections down to values that are printed otherwise than JSON would. */
function levelsOf(type: Type): number {
  if (type.kind === 'CollectionType') return isPlain(type.element) ? 0 : 1 + levelsOf(type.element);
  return type.kind === 'RecordType' ? Math.max(0, ...type.fields.map((field) => levelsOf(field.type))) : 0;
}

function isPlain(type: Type): boolean {
  if (type.kind === 'CollectionType') return isPlain(type.element);
  return type.kind === 'PrimitiveType' && PRINTED_AS_THEY_ARE.has(type.name);
}

/** The engine cannot be interrupted while it plans a statement: what would take it more is refused. */
const MOST_SECONDS = 4;

/** What is said of a program that takes too long to plan for this, and how much of the reason is in one node of it. */
const BURDENS: { readonly [B in Burden]: { readonly message: string; readonly weigh: (plan: Plan) => number } } = {
  nested: {
    message: 'queries stand in too many levels within the expressions of one another: take the inner ones as sources in FROM',
    weigh: ({ kind }) => (kind === 'Select' ? 1 : 0),
  },
  queries: {
    message: 'too many queries stand in expressions: join their sources in FROM, or give them as several queries',
    weigh: ({ kind }) => (kind === 'Select' ? 1 : 0),
  },
  joins: {
    message: 'too many sources are joined: give some of them as a query of their own',
    weigh: (plan) => (plan.kind === 'Select' ? plan.sources.length - 1 : 0),
  },
  sets: {
    message: 'too many collections are taken from one another: give some of them as a query of their own',
    weigh: ({ kind }) => (kind === 'SetOperation' ? 1 : 0),
  },
  levels: {
    message: 'the program is too large: too many queries select from one another',
    weigh: ({ kind }) => (kind === 'Select' || kind === 'SetOperation' || kind === 'WindowCall' ? 1 : 0),
  },
  lists: {
    message: 'collections are worked on in too many steps one after the other: give what many of them have in common a step of its own',
    weigh: ({ kind }) => (kind === 'SetOperation' || kind === 'Call' || kind === 'Select' ? 1 : 0),
  },
};

/** Refuses a plan whose statement the engine would plan for long, at the smallest part of it that holds nearly all of the reason. */
export function checkPlanningTime(plan: Plan, sql: string): void {
  const worst = Object.entries(planningSeconds(sql)).reduce((most, one) => (one[1] > most[1] ? one : most));
  if (worst[1] <= MOST_SECONDS) return;
  const { message, weigh } = BURDENS[worst[0] as Burden];
  throw new LoweringUnsupported(message, heaviestPart(plan, weigh).span);
}

/** So much of a plan's weight is nearly all. */
const NEARLY_ALL = 0.9;

function heaviestPart(plan: Plan, weigh: (plan: Plan) => number): Plan {
  const weights = new Map<Plan, number>();
  const childrenOf = (part: Plan): readonly Plan[] => {
    const children: Plan[] = [];
    mapChildren(part, (child) => (children.push(child), child));
    return children;
  };
  const weightOf = (part: Plan): number => {
    const weight = childrenOf(part).reduce((sum, child) => sum + weightOf(child), weigh(part));
    weights.set(part, weight);
    return weight;
  };
  const least = NEARLY_ALL * weightOf(plan);
  let heaviest = plan;
  for (let next: Plan | undefined = plan; next !== undefined;) {
    heaviest = next;
    next = childrenOf(heaviest).find((child) => (weights.get(child) ?? 0) >= least);
  }
  return heaviest;
}

const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\blambda [^:]*:|[()[\],]/g;

/** Whether the lambdas in a statement stand so little in the bodies (not the arguments) of one another that the engine plans it soon. */
export function isPlannedSoon(sql: string): boolean {
  const lambdas = sql.split('lambda ').length - 1;
  if (sql.length * 2 ** lambdas <= MAX_WEIGHT) return true;
  const brackets: number[] = [];
  let [bodies, weight, last] = [0, 0, 0];
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (bodies >= FEW) weight += (index - last) * 2 ** bodies;
    last = index;
    if (weight > MAX_WEIGHT) return false;
    if (token === '(' || token === '[') brackets.push(0);
    else if (token.startsWith('lambda ')) {
      brackets.push((brackets.pop() ?? 0) + 1);
      bodies += 1;
    } else if (token === ',' || token === ')' || token === ']') {
      bodies -= brackets.pop() ?? 0;
      if (token === ',') brackets.push(0);
    }
  }
  return true;
}
