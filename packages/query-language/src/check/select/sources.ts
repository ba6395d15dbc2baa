import type { Plan, PlanSource } from '../../plan/plan.ts';
import type { Expression, SelectExpression, Source } from '../../syntax/ast.ts';
import type { Span } from '../../text/span.ts';
import type { Type } from '../../types/type.ts';
import { bool, collectionOf, errorType, long, nullable, printType, undeterminedNull } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, freshVariable, placeOf, report, tryCheck } from '../check-context.ts';
import { expectOperand } from '../convert.ts';
import { checkValue } from '../expression.ts';
import { checkSourceName } from '../name.ts';
import { impliedName } from './implied-name.ts';
import { isFaulty, isNullAlone } from '../operand.ts';
import type { NamedPlan } from '../record.ts';
import { fieldOf } from '../record.ts';
import type { Candidate, Scope } from '../scope.ts';
import { createScope } from '../scope.ts';
import type { SelectFrame } from './select-frame.ts';
import type { MergedField } from './using.ts';
import { mergedValue, mergeField } from './using.ts';

/** A source of FROM, understood. */
export interface CheckedSource {
  readonly alias: string | null;
  readonly position: string | null;
  readonly plan: PlanSource;
  /** A later RIGHT or FULL JOIN makes rows of earlier sources optional. */
  isOptional: boolean;
  readonly isBroken: boolean;
}

/** All sources of a SELECT, with the scope of their names. */
export interface CheckedSources {
  readonly sources: readonly CheckedSource[];
  readonly merged: readonly MergedField[];
  readonly scope: Scope;
}

/** Checks the sources of FROM from left to right: a later one may use earlier ones. */
export function checkSources(context: CheckContext, node: SelectExpression, outer: Scope, frame: SelectFrame): CheckedSources {
  const sources: CheckedSource[] = [];
  const merged: MergedField[] = [];
  const names = {
    find: (matches: (name: string) => boolean): readonly Candidate[] => findInSources(context, { sources, merged }, matches),
    names: (): readonly string[] =>
      sources.flatMap((source) => [...(source.alias === null ? [] : [source.alias]), ...fieldNames(source.plan.rowType)]),
    lostNames: (): readonly string[] => node.sources.flatMap((source) => lostNameOf(source.collection)),
  };
  const scope = createScope(outer, { ...names, frame });
  const earlier = createScope(outer, names); // in FROM, `*` and aggregates are those of the SELECT around
  for (const source of node.sources) checkSource(context, source, { sources, merged, scope, earlier, outer });
  reportRepeatedAliases(context, node.sources);
  return { sources, merged, scope };
}

/** The name of the one item of a SELECT that gives bare values. */
function lostNameOf(collection: Expression): readonly string[] {
  const [item, another] = collection.kind === 'SelectExpression' ? collection.items : [];
  const name = item?.kind === 'ExpressionItem' && item.alias === null && another === undefined ? impliedName(item.value) : null;
  return name === null ? [] : [name];
}

function checkSource(
  context: CheckContext,
  node: Source,
  known: {
    readonly sources: CheckedSource[];
    readonly merged: MergedField[];
    readonly scope: Scope;
    readonly earlier: Scope;
    readonly outer: Scope;
  },
): void {
  const { sources, merged, scope } = known;
  const collection = orEmpty(checkCollectionOf(context, node, known));
  const isCollection = collection.type.kind === 'CollectionType';
  if (!isCollection && !isFaulty(collection)) {
    report(context, 'collection-expected', node.collection.span, printType(collection.type));
  }
  const join = node.join?.type ?? 'cross';
  const wereOptional = sources.map((source) => source.isOptional);
  if (join === 'right' || join === 'full') for (const source of sources) source.isOptional = true;
  const isOptional = join === 'left' || join === 'full';
  const row = freshVariable(context);
  const plan = {
    row,
    rowType: collection.type.kind === 'CollectionType' ? collection.type.element : errorType,
    position: node.position === null ? null : freshVariable(context),
    collection,
    join,
    on: null as Plan | null,
    isOptional,
  };
  const checked: CheckedSource = {
    alias: node.alias?.text ?? implicitAlias(node),
    position: node.position?.text ?? null,
    plan,
    isOptional,
    isBroken: !isCollection,
  };
  const left = [...sources];
  sources.push(checked);
  if (node.join === null) return;
  const conditions = node.join.using.flatMap((name) => {
    const condition = mergeField(context, name, { left, right: checked, merged, join });
    return condition === null ? [] : [condition];
  });
  if (node.join.on !== null) {
    const on = expectOperand(
      context,
      asFound(checked, left, wereOptional, () => checkValue(context, node.join?.on ?? node.collection, scope)),
      bool,
      node.join.on.span,
    );
    conditions.push(on);
  }
  const [first] = conditions;
  if (first === undefined) return;
  plan.on =
    conditions.length === 1
      ? first
      : { kind: 'Logical', type: nullable(bool), span: placeOf(context, node.span), operator: 'and', operands: conditions };
}

/** NULL alone is a source without elements. */
function orEmpty(collection: Plan): Plan {
  return isNullAlone(collection) ? ({ ...collection, type: nullable(collectionOf(undeterminedNull)) } as Plan) : collection;
}

/** What a source reads: it sees the sources before it, but not on the right of RIGHT and FULL JOIN. */
function checkCollectionOf(context: CheckContext, node: Source, known: { readonly outer: Scope; readonly earlier: Scope }): Plan {
  const join = node.join?.type;
  const checkIn = (scope: Scope): Plan => {
    const named = node.collection.kind === 'NameExpression' ? checkSourceName(context, node.collection.name, scope) : null;
    return named ?? checkValue(context, node.collection, scope);
  };
  if (join !== 'right' && join !== 'full') return checkIn(known.earlier);
  const alone = tryCheck(context, () => checkIn(known.outer));
  if (alone !== null) return alone;
  if (context.muted > 0) return report(context, 'stands-alone', node.collection.span, join.toUpperCase());
  const dependent = checkIn(known.earlier);
  return isFaulty(dependent) ? dependent : report(context, 'stands-alone', node.collection.span, join.toUpperCase());
}

/** ON sees rows as they are before its own join fills any up. */
function asFound<T>(checked: CheckedSource, left: readonly CheckedSource[], wereOptional: readonly boolean[], check: () => T): T {
  const all = [checked, ...left];
  const after = all.map((source) => source.isOptional);
  for (const [i, source] of all.entries()) source.isOptional = i === 0 ? false : (wereOptional[i - 1] ?? false);
  const result = check();
  for (const [i, source] of all.entries()) source.isOptional = after[i] ?? false;
  return result;
}

/** A source that is a name or ends in `.name` is known by that name. */
function implicitAlias(node: Source): string | null {
  const { collection } = node;
  if (collection.kind === 'NameExpression') return collection.name.text;
  if (collection.kind === 'FieldAccess') return collection.field.text;
  return null;
}

/** The plan of a source's row; a row that an outer join filled up is NULL. */
export function rowOf(source: CheckedSource, span: Span): Plan {
  const { rowType, row } = source.plan;
  return { kind: 'Variable', type: source.isOptional ? nullable(rowType) : rowType, span, id: row };
}

function fieldNames(type: Type): readonly string[] {
  return type.kind === 'RecordType' ? type.fields.map((field) => field.name) : [];
}

/** Aliases and positions first, then merged fields, then fields of all sources. */
function findInSources(
  context: CheckContext,
  known: { readonly sources: readonly CheckedSource[]; readonly merged: readonly MergedField[] },
  matches: (name: string) => boolean,
): readonly Candidate[] {
  const aliases = known.sources.flatMap((source): readonly Candidate[] => [
    ...(source.alias !== null && matches(source.alias)
      ? [{ name: source.alias, isFunction: false, use: (span: Span) => rowOf(source, placeOf(context, span)) }]
      : []),
    ...(source.position !== null && matches(source.position)
      ? [{ name: source.position, isFunction: false, use: (span: Span) => positionOf(source, placeOf(context, span)) }]
      : []),
  ]);
  const [alias, another] = aliases;
  if (alias !== undefined) return another === undefined ? aliases : [{ ...alias, use: errorPlan }]; // two are reported where they are declared
  const merged = known.merged.filter((field) => matches(field.name) && !known.merged.some((other) => other.left === field));
  if (merged.length > 0)
    return merged.map((field) => ({
      name: field.name,
      isFunction: false,
      use: (span) => mergedValue(context, field, placeOf(context, span)),
    }));
  const fields = known.sources.flatMap((source): readonly Candidate[] => {
    const { rowType } = source.plan;
    if (rowType.kind !== 'RecordType') return [];
    return rowType.fields.flatMap((field, index) =>
      matches(field.name)
        ? [
            {
              name: field.name,
              isFunction: false,
              use: (span: Span) => fieldOf(rowOf(source, placeOf(context, span)), index, placeOf(context, span)),
            },
          ]
        : [],
    );
  });
  const isUnknowable = fields.length === 0 && known.sources.some((source) => source.isBroken);
  return isUnknowable ? [{ name: '', isFunction: false, use: (span) => errorPlan(span) }] : fields;
}

function positionOf(source: CheckedSource, span: Span): Plan {
  const id = source.plan.position;
  if (id === null) throw new Error('the source has no position');
  return { kind: 'Variable', type: source.isOptional ? nullable(long) : long, span, id };
}

/** The fields that a source gives to `*`: those of its record, or its row under its alias or `_i`. */
export function fieldsOfSource(context: CheckContext, source: CheckedSource, index: number, span: Span): readonly NamedPlan[] {
  const { rowType } = source.plan;
  if (rowType.kind !== 'RecordType') return [{ name: source.alias ?? `_${index + 1}`, plan: rowOf(source, placeOf(context, span)), span }];
  return rowType.fields.map((field, i) => ({
    name: field.name,
    plan: fieldOf(rowOf(source, placeOf(context, span)), i, placeOf(context, span)),
    span,
  }));
}

/** The fields of all sources: merged ones first and once, later duplicates with a number. */
export function fieldsOfAll(context: CheckContext, checked: CheckedSources, span: Span): readonly NamedPlan[] {
  const isMergedAway = (source: CheckedSource, index: number): boolean =>
    checked.merged.some(
      (field) =>
        (field.right.source === source && field.right.index === index) ||
        ('source' in field.left && field.left.source === source && field.left.index === index),
    );
  const outermost = checked.merged.filter((field) => !checked.merged.some((other) => other.left === field));
  const fields = [
    ...outermost.map((field) => ({ name: field.name, plan: mergedValue(context, field, placeOf(context, span)), span })),
    ...checked.sources.flatMap((source, i) => fieldsOfSource(context, source, i, span).filter((_, k) => !isMergedAway(source, k))),
  ];
  return withNumberedDuplicates(fields);
}

/** Later fields of a name that is taken get `_1`, `_2`, …. */
export function withNumberedDuplicates(fields: readonly NamedPlan[]): readonly NamedPlan[] {
  const taken = new Set<string>();
  return fields.map((field) => {
    let name = field.name;
    for (let n = 1; taken.has(name); n += 1) name = `${field.name}_${n}`;
    taken.add(name);
    return { ...field, name };
  });
}

function reportRepeatedAliases(context: CheckContext, sources: readonly Source[]): void {
  const places = new Map<string, Span[]>();
  for (const { alias, position } of sources) {
    for (const name of [alias, position]) if (name !== null) places.set(name.text, [...(places.get(name.text) ?? []), name.span]);
  }
  for (const [name, spans] of places) if (spans.length > 1) report(context, 'declared-twice', spans, name);
}
