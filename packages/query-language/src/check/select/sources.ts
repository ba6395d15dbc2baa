import { elementSource } from '../../plan/plain-select.ts';
import type { Plan, PlanSource } from '../../plan/plan.ts';
import { usesAny } from '../../plan/variables.ts';
import type { Expression, SelectExpression, Source } from '../../syntax/ast.ts';
import { printExpression } from '../../syntax/print/print-expression.ts';
import type { Span } from '../../text/span.ts';
import type { Type } from '../../types/type.ts';
import { quoteName } from '../../types/print.ts';
import { collectionOf, errorType, nullable, printType, recordOf, undeterminedNull } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { freshVariable, placeOf, report, tryCheck } from '../check-context.ts';
import { checkValue } from '../check-value.ts';
import { checkRowCondition } from '../membership.ts';
import { checkSourceName } from '../name.ts';
import { repeatedBy, spansOf } from '../repeated.ts';
import type { CheckedSource, CheckedSources, OpenField } from './checked-source.ts';
import { variablesOf } from './checked-source.ts';
import { findInSources } from './fields-of-sources.ts';
import { impliedName } from './implied-name.ts';
import { namedRowsOf } from './named-rows.ts';
import { onlyElement, rowOfAggregateQuery } from './row-of-aggregate-query.ts';
import { checkAsof } from './asof-join.ts';
import { unnestedBy } from './unnest.ts';
import { checkLogical } from '../binary.ts';
import { isFaulty, isNullAlone } from '../operand.ts';
import { mapCollection } from '../map-collection.ts';
import { makeRecord, spread } from '../record-fields.ts';
import type { Candidate, NamedRows, Scope } from '../scope.ts';
import { createScope, NOT_KNOWN } from '../scope.ts';
import type { SelectFrame } from './select-frame.ts';
import { mergeField } from './using.ts';

/** Checks the sources of FROM from left to right. A later one may use earlier ones. */
export function checkSources(context: CheckContext, node: SelectExpression, outer: Scope, frame: SelectFrame): CheckedSources {
  const sources: CheckedSource[] = [];
  const merged: OpenField[] = [];
  const repeated = reportRepeatedAliases(context, node.sources);
  const names = {
    find: (matches: (name: string) => boolean): readonly Candidate[] => {
      const found = findInSources(context, { sources, merged }, matches);
      return found.some(({ name }) => repeated.has(name)) ? [NOT_KNOWN] : found;
    },
    names: (): readonly string[] =>
      sources.flatMap((source) => [...(source.alias === null ? [] : [source.alias]), ...fieldNames(source.plan.rowType)]),
    rowTypes: (): readonly Type[] => sources.map((source) => source.plan.rowType),
  };
  const scope = createScope(outer, { ...names, frame });
  const earlier = createScope(outer, names); // in FROM, `*` and aggregates are those of the SELECT around
  for (const source of node.sources) checkSource(context, source, { sources, merged, scope, earlier, outer, frame });
  if (node.sources.length === 0) sources.push(oneRowWithoutFields(context, node.span, frame));
  return { sources, merged, scope };
}

/** The source of a SELECT without FROM: one row without fields. */
function oneRowWithoutFields(context: CheckContext, at: Span, frame: SelectFrame): CheckedSource {
  const rowType = recordOf([]);
  const span = placeOf(context, at);
  const row: Plan = { kind: 'RecordLiteral', type: rowType, span, values: [] };
  const collection: Plan = { kind: 'CollectionLiteral', type: collectionOf(rowType), span, elements: [row] };
  const plan = elementSource(collection, freshVariable(context));
  return { alias: null, aliasFrom: 'path', position: null, rows: null, plan, isOptional: false, isBroken: false, frame, overGroups: null };
}

function checkSource(
  context: CheckContext,
  node: Source,
  known: {
    readonly sources: CheckedSource[];
    readonly merged: OpenField[];
    readonly scope: Scope;
    readonly earlier: Scope;
    readonly outer: Scope;
    readonly frame: SelectFrame;
  },
): void {
  const { sources, merged, scope } = known;
  const collection = withColumns(context, node, orEmpty(checkCollectionOf(context, node, known)));
  const isCollection = collection.type.kind === 'CollectionType';
  if (!isCollection && !isFaulty(collection)) {
    report(context, 'collection-expected', node.collection.span, printType(collection.type), sourceInQuotes(node.collection));
  }
  const join = node.join?.type ?? 'cross';
  const row = freshVariable(context);
  const plan = {
    row,
    rowType: collection.type.kind === 'CollectionType' ? collection.type.element : errorType,
    position: node.position === null ? null : freshVariable(context),
    collection,
    join,
    on: null as Plan | null,
    isOptional: false,
  };
  const checked: CheckedSource = {
    alias: node.alias?.text ?? impliedName(node.collection),
    aliasFrom: node.alias !== null ? 'written' : node.collection.kind === 'NameExpression' ? 'name' : 'path',
    position: node.position?.text ?? null,
    rows: rowsNamedBy(node, known.outer),
    plan,
    isOptional: false,
    isBroken: !isCollection,
    frame: known.frame,
    overGroups: null,
  };
  const left = [...sources];
  if (isUnconditional(node.join) && !isFaulty(collection) && !usesAny(collection, variablesOf(sources)))
    report(context, 'join-condition-needed', node.collection.span, join === 'inner' ? 'JOIN' : `${nameOfJoin(join)} JOIN`);
  sources.push(checked);
  plan.on = checkJoin(context, node.join, { left, right: checked, merged, scope });
  // Set after ON and USING are checked: they see rows before the join adds NULLs.
  if (join === 'right' || join === 'full') for (const source of left) source.isOptional = true;
  checked.isOptional = join === 'left' || join === 'full' || join === 'asof-left';
}

/** Suggests a replacement for a string in place of a source: the name if it is in double quotes, as in SQL, else a READ of it. */
function sourceInQuotes(node: Expression): string | null {
  if (node.kind !== 'StringLiteral') return null;
  if (node.isDoubleQuoted && /^[\w ]+$/.test(node.value)) return quoteName(node.value);
  return `READ(${printExpression(/^\w+:/.test(node.value) ? node : { ...node, value: `file:${node.value}` })})`;
}

/** Renames the fields of a source, or names its rows if they are not records. */
function withColumns(context: CheckContext, { columns, collection: { span } }: Source, collection: Plan): Plan {
  const [first] = columns;
  if (first === undefined || collection.type.kind !== 'CollectionType' || isFaulty(collection)) return collection;
  const { element } = collection.type;
  const count = element.kind === 'RecordType' ? element.fields.length : 1;
  const surplus = columns[count];
  if (surplus !== undefined) return report(context, 'too-many-columns', surplus.span, columns.length, count);
  if (element.kind !== 'RecordType') return collection;
  return mapCollection(context, collection, placeOf(context, span), (row) =>
    makeRecord(
      context,
      span,
      spread(row, span).map((field, i) => ({ ...field, name: columns[i]?.text ?? field.name, span: columns[i]?.span ?? field.span })),
    ),
  );
}

/** Returns what the text of a source determines of its rows. */
function rowsNamedBy({ columns, collection }: Source, scope: Scope): NamedRows | null {
  const [column] = columns;
  if (column !== undefined) return { name: () => column.text, isOneRow: () => false };
  return namedRowsOf(collection, scope);
}

/** A join that pairs by a condition, and is written without one. */
function isUnconditional(join: Source['join']): boolean {
  return join !== null && join.type !== 'cross' && !join.type.startsWith('asof') && join.on === null && join.using.length === 0;
}

function nameOfJoin(join: PlanSource['join']): string {
  return join.toUpperCase().replace('-', ' ');
}

/** Checks the condition of ON or USING; null if there is neither. */
function checkJoin(
  context: CheckContext,
  join: Source['join'],
  at: { readonly left: readonly CheckedSource[]; readonly right: CheckedSource; readonly merged: OpenField[]; readonly scope: Scope },
): Plan | null {
  if (join === null) return null;
  if (join.type === 'asof' || join.type === 'asof-left') return checkAsof(context, join, at);
  if (join.on !== null) return checkRowCondition(context, join.on, at.scope);
  const [first, ...others] = join.using.flatMap((name) => {
    const plan = mergeField(context, name, at);
    return plan === null ? [] : [{ plan, span: name.span }];
  });
  if (first === undefined) return null;
  return others.reduce((all, one) => ({ ...one, plan: checkLogical(context, 'and', one.span, [all, one]) }), first).plan;
}

/** Converts an untyped NULL to an empty source. */
function orEmpty(collection: Plan): Plan {
  return isNullAlone(collection) ? ({ ...collection, type: nullable(collectionOf(undeterminedNull)) } as Plan) : collection;
}

/** Joins whose right side cannot be correlated with the left. */
const STANDING_ALONE: ReadonlySet<PlanSource['join']> = new Set(['right', 'full', 'asof', 'asof-left']);

/** Checks the collection of a source. It sees the sources before it, except on the right side of RIGHT, FULL and ASOF JOIN. */
function checkCollectionOf(context: CheckContext, node: Source, known: { readonly outer: Scope; readonly earlier: Scope }): Plan {
  const join = node.join?.type;
  const { collection } = node;
  const checkIn = (scope: Scope): Plan => {
    if (collection.kind === 'SelectExpression') {
      const query = checkValue(context, collection, scope);
      return query.kind === 'Select' && query.isSingle ? rowOfAggregateQuery(context, query) : query;
    }
    const unnested = unnestedBy(collection, scope);
    if (unnested !== null) return checkValue(context, unnested, scope);
    if (collection.kind !== 'NameExpression') return checkValue(context, collection, scope);
    const plan = checkSourceName(context, collection.name, { own: scope === known.outer ? null : scope, outer: known.outer });
    return !isFaulty(plan) && namedRowsOf(collection, known.outer).isOneRow() ? onlyElement(plan) : plan;
  };
  const standsAlone = join !== undefined && STANDING_ALONE.has(join);
  if (!standsAlone) return checkIn(known.earlier);
  const alone = tryCheck(context, () => checkIn(known.outer));
  if (alone !== null) return alone;
  if (context.diagnostics.isTrial) return report(context, 'stands-alone', node.collection.span, nameOfJoin(join));
  const dependent = checkIn(known.earlier);
  return isFaulty(dependent) ? dependent : report(context, 'stands-alone', node.collection.span, nameOfJoin(join));
}

function fieldNames(type: Type): readonly string[] {
  return type.kind === 'RecordType' ? type.fields.map((field) => field.name) : [];
}

/** Reports the names that are given twice, and returns them. */
function reportRepeatedAliases(context: CheckContext, sources: readonly Source[]): ReadonlySet<string> {
  const names = sources.flatMap(({ alias, position }) => [alias, position].filter((name) => name !== null));
  const repeated = repeatedBy(names, ({ text }) => text);
  for (const same of repeated) report(context, 'declared-twice', spansOf(same), same[0].text);
  return new Set(repeated.map(([{ text }]) => text));
}
