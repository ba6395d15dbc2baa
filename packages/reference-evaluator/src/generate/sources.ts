import { impliedName } from '../program/implied-name.ts';
import type { Merged, Source, Term } from '../program/term.ts';
import type { CollectionShape, RecordShape, Shape } from '../values/shape.ts';
import { usesVariables } from '../program/tree.ts';
import { commonShape, isNumber, isSameShape } from '../values/shape.ts';
import type { Generator } from './generator.ts';
import { pick } from './generator.ts';
import { recordShape, scalarShape } from './literal.ts';
import type { Frame, Named, Scope } from './scope.ts';
import { blocking, referencesIn, within } from './scope.ts';

const ALIASES = ['t', 'u', 'v', 'x', 'a'] as const;

const JOINS = ['JOIN', 'LEFT JOIN', ',', 'CROSS JOIN', 'LEFT JOIN'] as const;

const ASOF_JOINS = ['ASOF JOIN', 'ASOF LEFT JOIN'] as const;
const FREE_JOINS = ['RIGHT JOIN', 'FULL JOIN'] as const;

const EMPTY: Frame = { aliases: [], fields: [], blocked: [] };

/** Generates one to three sources and the names that they bind. A later source may use earlier ones. */
export function sourcesOf(
  generator: Generator,
  element: Shape,
  scope: Scope,
  depth: number,
): { readonly sources: readonly Source[]; readonly frame: Frame } {
  const { tape } = generator;
  const count = tape.chance(30) ? 2 + Number(tape.chance(20)) : 1;
  const sources: Source[] = [];
  let frame = EMPTY;
  for (let i = 0; i < count; i += 1) {
    // In FROM, `*` and aggregates belong to the enclosing SELECT; names of earlier sources hide some of its names.
    const names = [...frame.aliases, ...frame.fields].map(({ name }) => name);
    const around = names.length === 0 ? scope : blocking(scope, names);
    const isAsof = i > 0 && tape.chance(20);
    // On the right of RIGHT, FULL and ASOF JOIN no source may use earlier ones.
    const isFree = isAsof || (i > 0 && tape.chance(15));
    const seen = { ...around, window: null, frames: isFree ? around.frames : [...around.frames, frame] };
    const made = collectionOf(generator, element, seen, Math.min(depth, 3));
    const collection = (hasNameOfNumber(made) ? null : sourceIn(frame, made)) ?? generator.expression(made.shape, around, 0);
    const source = sourceOf(generator, collection, sources, isAsof ? ASOF_JOINS : isFree ? FREE_JOINS : JOINS);
    const isConditional = i > 0 && !isAsof && source.join !== ',' && source.join !== 'CROSS JOIN';
    const using = isConditional && tape.chance(60) ? mergedOf(generator, frame, source) : [];
    const blocked = [...frame.blocked, ...namesOfRows(source)];
    frame = { aliases: [...frame.aliases, ...aliasesOf(source)], fields: fieldsWith(frame, source, using), blocked };
    const nearness = isAsof ? nearnessOf(generator, frame, scope, source) : null;
    const on = nearness ?? (!isConditional ? null : using.length > 0 ? equalityOf(using) : condition(generator, frame, scope));
    sources.push({ ...source, join: isAsof && nearness === null ? 'CROSS JOIN' : source.join, on, using });
  }
  return { sources: withoutEarlyCommas(sources), frame };
}

/** Before a RIGHT or FULL JOIN there is no comma: in SQL that would bind less. */
function withoutEarlyCommas(sources: readonly Source[]): readonly Source[] {
  const last = sources.findLastIndex(({ join }) => FREE_JOINS.some((kind) => kind === join));
  return sources.map((source, i) => (i < last && source.join === ',' ? { ...source, join: 'CROSS JOIN' } : source));
}

/**
 * Generates a collection as a source. The bare name of an earlier source's field has another meaning there; null if it has
 * no other name.
 */
function sourceIn(frame: Frame, collection: Term): Term | null {
  if ((collection.kind !== 'field' && collection.kind !== 'merged') || !frame.fields.some(({ term }) => term === collection))
    return collection;
  if (collection.kind === 'merged' || collection.target.kind !== 'variable' || collection.target.name === '') return null;
  return { ...collection, isBare: false };
}

/** Tables, collections in sight, the group around, literals and expressions. */
function collectionOf(generator: Generator, element: Shape, scope: Scope, depth: number): Term {
  const { tape } = generator;
  const { star } = scope;
  if (star !== null && tape.chance(50))
    return { kind: 'star', shape: { kind: 'collection', element: star.shape }, select: star.select, isGroup: true };
  const inSight = referencesIn({ ...scope, group: null }).filter(({ shape }) => typeof shape === 'object' && shape.kind === 'collection');
  const nested = inSight.filter(({ kind }) => kind === 'field');
  if (nested.length > 0 && tape.chance(35)) return pick(generator, nested);
  const records = inSight.filter(({ shape }) => isRecord((shape as CollectionShape).element));
  if (records.length > 0 && tape.chance(50)) return pick(generator, records);
  if (inSight.length > 0 && tape.chance(50)) return pick(generator, inSight);
  if (depth > 0 && tape.chance(20)) return generator.spreadSelect(scope, depth - 1);
  const shape = tape.chance(30) ? element : tape.chance(60) ? recordShape(generator, 1) : scalarShape(generator);
  return generator.expression({ kind: 'collection', element: shape }, scope, depth);
}

function sourceOf(
  generator: Generator,
  collection: Term,
  earlier: readonly Source[],
  joins: readonly NonNullable<Source['join']>[],
): Source {
  const { tape } = generator;
  const shape = (collection.shape as CollectionShape).element;
  const taken = new Set(earlier.flatMap(({ alias, position }) => [alias, position?.name ?? null]));
  const implied = collection.kind === 'variable' || collection.kind === 'field' ? collection.name : null;
  const isLeftOut = tape.chance(isRecord(shape) ? 40 : implied === null ? 0 : 30);
  const isWritten = !isLeftOut || (implied !== null && taken.has(implied));
  const alias = isWritten ? (ALIASES.find((name) => !taken.has(name) && tape.chance(60)) ?? `w${earlier.length}`) : implied;
  const hasPosition = tape.chance(12) && !taken.has('i') && alias !== 'i';
  return {
    id: generator.fresh(),
    shape,
    alias,
    isAliasWritten: isWritten,
    position: hasPosition ? { id: generator.fresh(), name: 'i' } : null,
    collection,
    join: earlier.length === 0 ? null : pick(generator, joins),
    on: null,
    using: [],
  };
}

function isRecord(shape: Shape): shape is RecordShape {
  return typeof shape === 'object' && shape.kind === 'record';
}

function aliasesOf({ id, alias, shape, position }: Source): readonly Named[] {
  const names: Named[] = alias === null ? [] : [{ name: alias, term: { kind: 'variable', id, name: alias, shape } }];
  if (position !== null)
    names.push({ name: position.name, term: { kind: 'variable', id: position.id, name: position.name, shape: 'long' } });
  return names;
}

/**
 * Returns the name of bare rows, given by the only item of their query, or of the first in a chain of set operators. It must
 * stay unused.
 */
function namesOfRows({ collection }: { readonly collection: Term }): readonly string[] {
  if (collection.kind === 'ordered-chain') return namesOfRows({ collection: collection.operands });
  if (collection.kind === 'binary') return namesOfRows({ collection: collection.left });
  const [only, another] = collection.kind === 'select' ? collection.items : [];
  const name = only === undefined || another !== undefined || only.field !== null ? null : impliedName(only.value);
  return name === null ? [] : [name];
}

/** Returns whether the name of bare rows would hide a constant: `NaN` or `Inf`. */
function hasNameOfNumber(collection: Term): boolean {
  return namesOfRows({ collection }).some((name) => name === 'NaN' || name === 'Inf');
}

function fieldsOf({ id, alias, shape }: Source): readonly Named[] {
  if (!isRecord(shape)) return [];
  const target: Term = { kind: 'variable', id, name: alias ?? '', shape };
  return shape.fields.map(({ name, shape: of }, index) => ({
    name,
    term: { kind: 'field', shape: of, target, index, name, isBare: true },
  }));
}

/** Generates one or two names for USING: a field on the left and one on the right of comparable types. */
function mergedOf(generator: Generator, frame: Frame, source: Source): readonly Merged[] {
  const both = fieldsOf(source).flatMap(({ name, term: right }): readonly Merged[] => {
    const [left, another] = frame.fields.filter((field) => field.name === name).map(({ term }) => term);
    if (left === undefined || another !== undefined || !areComparable(left.shape, right.shape)) return [];
    const parts = [...(left.kind === 'merged' ? left.parts : [left]), right];
    return [{ kind: 'merged', shape: commonShape(left.shape, right.shape), name, isBare: true, parts }];
  });
  if (both.length === 0) return [];
  const first = pick(generator, both);
  return both.filter((merged) => merged === first || generator.tape.chance(25));
}

function areComparable(a: Shape, b: Shape): boolean {
  return isSameShape(a, b) || (isNumber(a) && isNumber(b));
}

/** Returns the fields visible without qualification: a merged one replaces its parts. */
function fieldsWith(frame: Frame, source: Source, using: readonly Merged[]): Frame['fields'] {
  const names = new Set(using.map(({ name }) => name));
  const others = [...frame.fields, ...fieldsOf(source)].filter(({ name }) => !names.has(name));
  return [...using.map((term) => ({ name: term.name, term })), ...others];
}

/** Builds the condition of USING: the merged value of the left side equals the field on the right. */
function equalityOf(using: readonly Merged[]): Term {
  const equalities = using.map(({ shape, name, parts }): Term => {
    const [last, ...earlier] = parts.toReversed();
    if (last === undefined) throw new Error('a merged field has parts');
    const left: Term = { kind: 'merged', shape, name, isBare: true, parts: earlier.toReversed() };
    return { kind: 'binary', shape: 'bool', operator: '=', left, right: last };
  });
  return equalities.reduce((left, right) => ({ kind: 'binary', shape: 'bool', operator: 'AND', left, right }));
}

/**
 * Returns whether a term starts with a bare field name that is also an alias in an outer scope. Such a name must not hide a
 * parameter.
 */
function isHiding(term: Term, around: Scope): boolean {
  if (term.kind !== 'field' && term.kind !== 'merged') return false;
  if (!term.isBare) return term.kind === 'field' && isHiding(term.target, around);
  return around.frames.some(({ aliases }) => aliases.some(({ name }) => name === term.name));
}

/** ON of an ASOF join: an inequality of a field on the left and one of `source`, and perhaps equalities; null if no two of them compare. */
function nearnessOf(generator: Generator, frame: Frame, scope: Scope, source: Source): Term | null {
  const { tape } = generator;
  const own = new Set(source.position === null ? [source.id] : [source.id, source.position.id]);
  const fields = fieldsToCompare(frame, scope);
  const pairs = fields
    .filter((left) => !usesVariables(left, own))
    .flatMap((left) =>
      fields.filter((right) => usesVariables(right, own) && isSameShape(left.shape, right.shape)).map((right) => ({ left, right })),
    );
  if (pairs.length === 0) return null;
  const compare = (operator: '=' | '<' | '<=' | '>' | '>='): Term => {
    const { left, right } = pick(generator, pairs);
    return tape.chance(80)
      ? { kind: 'binary', shape: 'bool', operator, left, right }
      : { kind: 'binary', shape: 'bool', operator, left: right, right: left };
  };
  const inequality = compare(pick(generator, ['>=', '>', '<=', '<'] as const));
  if (!tape.chance(35)) return inequality;
  const [left, right] = tape.chance(50) ? [compare('='), inequality] : [inequality, compare('=')];
  return { kind: 'binary', shape: 'bool', operator: 'AND', left, right };
}

/** Scalars that an ON can name: those of a frame. */
function fieldsToCompare(frame: Frame, scope: Scope): readonly Term[] {
  return referencesIn(within({ ...scope, frames: [] }, frame)).filter((term) => typeof term.shape === 'string' && !isHiding(term, scope));
}

/** ON: mostly an equality of two fields that compare. */
function condition(generator: Generator, frame: Frame, scope: Scope): Term {
  const fields = fieldsToCompare(frame, scope);
  const [first] = fields;
  if (first !== undefined && generator.tape.chance(70)) {
    const left = pick(generator, fields);
    const same = fields.filter(({ shape }) => shape === left.shape);
    const others = same.filter((field) => field !== left);
    const right = pick(generator, others.length > 0 ? others : same);
    return { kind: 'binary', shape: 'bool', operator: '=', left, right };
  }
  return generator.expression('bool', within(scope, frame), 2);
}
