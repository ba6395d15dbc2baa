import type { Plan, PlanSource, Select, Span, Type, VariableId } from '@svc/query-language';
import { boundBySource, childrenOfPlan } from '@svc/query-language';

import { usesAny } from '../analysis/variables.ts';
import { isPlainJson } from '../results/json-text.ts';
import { LoweringUnsupported } from './lowering-unsupported.ts';

/**
 * Caps of a program. The engine cannot be interrupted while it plans a statement; each cap was found by measurement, and a
 * program within all of them is planned within two seconds.
 */
export const PLAN_LIMITS = {
  /** Queries, REDUCE and TRY in the expressions of one another: each level doubles the time. */
  nested: {
    most: 8,
    message:
      'queries, REDUCE and TRY stand in more than 8 levels within the expressions of one another: take the inner ones as sources in FROM',
  },
  /** Queries with groups or windows in the FROM of one another: each level doubles the time. */
  groupings: { most: 16, message: 'more than 16 queries with groups or windows select from one another: do it in fewer steps' },
  /** Queries nested in FROM, also through declarations, and windows. */
  levels: { most: 200, message: 'the program is too large: more than 200 queries and windows select from one another' },
  /** Calls and set operators in the arguments of one another. */
  steps: { most: 50, message: 'more than 50 functions and set operators stand within one another: give an inner part a declaration' },
  /** Sources of one FROM, with those of the queries in it, that use no other source of it. */
  sources: { most: 50, message: 'more than 50 sources are joined: give some of them as a query of their own' },
  /** Operands of INTERSECT. */
  intersections: { most: 100, message: 'INTERSECT has more than 100 operands: give some of them as a query of their own' },
  /** Records and collections within one another, in a type that a value is cast to or read as. */
  typeLevels: {
    most: 10,
    message: 'the type has more than 10 levels of records and collections: take inner ones as any, and cast them on their own',
  },
  /** Nested collections in a result, each of which is printed by a lambda. */
  resultLevels: {
    most: 10,
    message: 'the result has more than 10 levels of collections: give fewer, or the inner ones as text by TO_JSON',
  },
  /** Sub-queries of a statement. */
  subqueries: {
    most: 150,
    message: 'more than 150 queries stand in expressions: join their sources in FROM, or give them as several queries',
  },
  /** FULL JOINs in queries that use a row around them: each says both its sides twice. */
  fullJoins: {
    most: 8,
    message: 'more than 8 FULL JOINs stand in queries that use a row around them: join their sources in FROM of that row',
  },
  /** Characters of the statement. */
  characters: {
    most: 10_000_000,
    message: 'the program is too large once all that it repeats is written out: give what is used often a declaration',
  },
} as const;

/** Throws LoweringUnsupported if a count exceeds the cap. */
export function checkLimit(limit: keyof typeof PLAN_LIMITS, count: number, span: Span): void {
  const { most, message } = PLAN_LIMITS[limit];
  if (count > most) throw new LoweringUnsupported(message, span);
}

/** Rejects a plan that exceeds a cap, at the part that exceeds it. */
export function checkPlanLimits(plan: Plan): void {
  checkLimit('resultLevels', collectionLevels(plan.type), plan.span);
  visit(plan, { nested: 0, steps: 0 }, new Map());
}

/** Number of levels of each kind around a part. */
interface Around {
  readonly nested: number;
  readonly steps: number;
}

/** The levels of queries that a part selects from. */
interface Levels {
  readonly all: number;
  readonly groupings: number;
}

const NO_LEVELS: Levels = { all: 0, groupings: 0 };

type Declared = Map<VariableId, Levels>;

/** Checks a part and returns the levels of queries below its rows. */
function visit(part: Plan, around: Around, declared: Declared): Levels {
  if (part.kind === 'Variable') return declared.get(part.id) ?? NO_LEVELS;
  if (part.kind === 'Select') return visitSelect(part, around, declared);
  if (part.kind === 'Let') {
    declared.set(part.id, visit(part.value, around, declared));
    return visit(part.body, around, declared);
  }
  if (part.kind === 'SetOperation' && part.operator === 'intersect') checkLimit('intersections', part.operands.length, part.span);
  if (readsText(part)) checkLimit('typeLevels', typeLevels(part.type), part.span);
  const isNesting = part.kind === 'Reduce' || part.kind === 'Try';
  const inside = isNesting ? nestedIn(part, around) : isStep(part) ? stepIn(part, around) : around;
  return deepest(childrenOfPlan(part).map((child) => visit(child, inside, declared)));
}

function nestedIn({ span }: Plan, around: Around): Around {
  checkLimit('nested', around.nested, span);
  return { nested: around.nested + 1, steps: 0 };
}

function stepIn({ span }: Plan, around: Around): Around {
  checkLimit('steps', around.steps, span);
  return { ...around, steps: around.steps + 1 };
}

/** Returns whether a part operates on a collection that its own part produces. */
function isStep({ kind, type }: Plan): boolean {
  return kind === 'SetOperation' || kind === 'Element' || (kind === 'Call' && type.kind === 'CollectionType');
}

/** Returns whether a part converts a text, or an `any`, to another type. */
function readsText(part: Plan): boolean {
  return part.kind === 'Cast' || (part.kind === 'Call' && part.arguments[0]?.type.kind === 'PrimitiveType');
}

function deepest(levels: readonly Levels[]): Levels {
  return { all: Math.max(0, ...levels.map(({ all }) => all)), groupings: Math.max(0, ...levels.map(({ groupings }) => groupings)) };
}

function visitSelect(select: Select, around: Around, declared: Declared): Levels {
  checkLimit('sources', joinedSources(select), select.span);
  const inside = nestedIn(select, around);
  const sources = select.sources.map(({ collection }) => collection);
  const inSource = select.isSingle ? stepIn(select, around) : around;
  const below = deepest(sources.map((source) => visit(source, inSource, declared)));
  const others = childrenOfPlan(select).filter((child) => !sources.includes(child));
  for (const child of others) visit(child, inside, declared);
  const windows = others.reduce((sum, child) => sum + windowsOf(child), 0);
  const levels = {
    all: below.all + 1 + windows,
    groupings: below.groupings + ((select.grouping === null || select.isSingle) && windows === 0 ? 0 : 1),
  };
  checkLimit('levels', levels.all, select.span);
  checkLimit('groupings', levels.groupings, select.span);
  return levels;
}

function windowsOf(plan: Plan): number {
  if (plan.kind === 'Select') return 0;
  return childrenOfPlan(plan).reduce((sum, child) => sum + windowsOf(child), plan.kind === 'WindowCall' ? 1 : 0);
}

/** Returns the sources whose order a join combines, including those of queries in FROM. */
function joinedSources({ sources }: Select): number {
  const before = new Set<VariableId>();
  let count = 0;
  for (const source of sources) {
    if (!usesAny(source.collection, before)) count += ofSource(source);
    for (const id of boundBySource(source)) before.add(id);
  }
  return count;
}

function ofSource({ collection }: PlanSource): number {
  return collection.kind === 'Select' ? joinedSources(collection) : 1;
}

function typeLevels(type: Type): number {
  if (type.kind === 'CollectionType') return 1 + typeLevels(type.element);
  return type.kind === 'RecordType' ? 1 + Math.max(0, ...type.fields.map((field) => typeLevels(field.type))) : 0;
}

/** The levels of collections down to values that are printed otherwise than JSON would. */
function collectionLevels(type: Type): number {
  if (isPlainJson(type)) return 0;
  if (type.kind === 'CollectionType') return 1 + collectionLevels(type.element);
  return type.kind === 'RecordType' ? Math.max(0, ...type.fields.map((field) => collectionLevels(field.type))) : 0;
}
