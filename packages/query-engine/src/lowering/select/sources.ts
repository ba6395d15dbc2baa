import type { Plan, PlanSource, Select, VariableId } from '@svc/query-language';
import { boundBySource, isAsof, isFallible } from '@svc/query-language';

import { conjuncts } from '../../analysis/conjuncts.ts';
import { type RowParts, dependsOnRow, isWithinRow, isFallibleConstant } from '../../analysis/correlation.ts';
import { leadingKeys, type JoinSides } from '../../analysis/join-key.ts';
import { holdsSubquery, keepsRight } from '../../analysis/relational-analysis.ts';
import { freeVariables, usesAny } from '../../analysis/variables.ts';
import { aggregatesOf } from '../../rewrite/extract-aggregates.ts';
import { nestedGroupsOf } from '../../rewrite/extract-nested-groups.ts';
import { isWholeRelation, select, subquery } from '../../sql/select.ts';
import { joinSql, NOTHING, SQL, TRUE, type Column, type NamedSql, type Sql } from '../../sql/sql.ts';
import { boundTo } from '../correlated-columns.ts';
import { behindFoldBarrier } from '../fold-barrier.ts';
import { createHoistedColumns, withHoistedColumns } from '../hoisted-columns.ts';
import type { LoweringContext, RelationOptions } from '../lowering-context.ts';
import { addRowsTable, besideRows, freshColumn } from '../lowering-context.ts';
import { checkLimit } from '../plan-limits.ts';
import { columnsOf, rowBinding } from '../relation.ts';
import { byPosition, sortText } from '../scalars/sort-key.ts';
import type { Binding, HoistedColumns, Scope } from '../scope.ts';
import { bindAll, bindLambda } from '../scope.ts';
import { partsOfElement, placed } from '../source-elements.ts';
import { joinNearest } from './asof-join.ts';
import type { SplitWhere } from './filter-rows.ts';
import { joinMatches, type OuterJoin } from './outer-join-by-matches.ts';
import { withCorrelatedColumns, keepWhere, numberRows, onRows, withColumns, type Rows } from './rows.ts';

interface SourcesOptions extends RelationOptions {
  readonly where: SplitWhere;
}

/** Lowers all sources of a Select to rows: independent ones are joined, dependent ones unnested. */
export function lowerSources(context: LoweringContext, plan: Select, scope: Scope, { where, ...options }: SourcesOptions): Rows {
  const beside = (rows: Rows): Rows => withCorrelatedColumns(context, rows, scope, partsOverRows(plan, where));
  const parts = plan.sources.flatMap(({ collection, on }) => (on === null ? [collection] : [collection, on]));
  const isTable = keepsRight(plan) || isOfOneSource(plan);
  if (!isTable || !isWithinRow(scope) || parts.some((part) => dependsOnRow(part, scope)))
    return joinSources(context, plan, scope, options, beside);
  const rows = joinSources(context, plan, scope, options, (first) => first);
  // The engine rejects RIGHT and FULL JOIN in correlated subqueries: a self-contained one becomes a table.
  const from = keepsRight(plan) ? addRowsTable(context, rows.from) : besideRows(context, parts, scope, rows.from);
  return beside({ ...rows, from });
}

/** Returns whether the sources after the first are collections of its rows. */
function isOfOneSource({ sources: [first, ...rest] }: Select): boolean {
  if (first === undefined || rest.length === 0) return false;
  const bound = new Set(boundBySource(first));
  return rest.every((source) => {
    const isOfRows = usesAny(source.collection, bound);
    for (const id of boundBySource(source)) bound.add(id);
    return isOfRows;
  });
}

/** `prepare` receives the rows of the first source before others are joined to them, and again those of a right or full join. */
function joinSources(context: LoweringContext, plan: Select, scope: Scope, options: RelationOptions, prepare: (rows: Rows) => Rows): Rows {
  const [first, ...rest] = plan.sources;
  if (first === undefined) throw new Error('a SELECT has a source');
  let rows = prepare(readSource(context, first, scope, options));
  const bound = new Set(boundBySource(first));
  for (const source of rest) {
    const joined = isAsof(source)
      ? joinNearest(context, rows, readSource(context, source, scope, { ...options, keepsOrder: false }), {
          source,
          isOfRow: dependsOnRow(plan, scope),
        })
      : usesAny(source.collection, bound)
        ? unnestSource(context, rows, source, options)
        : joinSource(context, rows, source, scope, { ...options, bound });
    rows = source.join === 'right' || source.join === 'full' ? prepare(joined) : joined;
    for (const id of boundBySource(source)) bound.add(id);
  }
  return rows;
}

/**
 * Returns the expressions evaluated on the rows of a Select. Outer joins of dependent sources filter lists of these: a
 * lambda is applied to the list.
 */
function partsOverRows(plan: Select, { before, others }: SplitWhere): RowParts {
  const [, ...later] = plan.sources;
  const bound = new Set(plan.sources.flatMap(boundBySource));
  const inFilter = ({ join, collection, on }: PlanSource): readonly Plan[] => {
    if (join !== 'left' || on === null) return [];
    return usesAny(collection, bound) ? [collection, on] : [on];
  };
  const conditions = later.flatMap(({ on }) => (on === null ? [] : [on]));
  return {
    plain: [...before, ...others, ...conditions, ...later.map((source) => source.collection), ...partsOfResult(plan)],
    inLambdas: later.flatMap(inFilter),
  };
}

/**
 * Returns keys, HAVING, item and ORDER BY, with those of queries that become groupings of the same rows, and the aggregates,
 * which may stand in a subquery.
 */
function partsOfResult(plan: Select): readonly Plan[] {
  const { plan: rest, nested } = plan.grouping === null ? { plan, nested: [] } : nestedGroupsOf(plan);
  const keys = [...(rest.grouping?.keys ?? []), ...rest.orderBy].map((key) => key.value);
  const below = nested.flatMap(({ where, groups }) => [...(where === null ? [] : [where]), ...partsOfResult(groups([]))]);
  const aggregates = rest.grouping === null ? [] : aggregatesOf(rest);
  return [...(rest.having === null ? [] : [rest.having]), ...keys, rest.item, ...aggregates, ...below];
}

/** Lowers an independent source, with its position and a mark of presence if requested. */
function readSource(context: LoweringContext, source: PlanSource, scope: Scope, options: RelationOptions): Rows {
  const keepsOrder = options.keepsOrder || source.position !== null;
  const relation = context.lowerRelation(source.collection, scope, { ...options, keepsOrder });
  const present = source.isOptional && relation.layout.kind === 'columns' ? freshColumn(context, 'c') : null;
  const bindings: [VariableId, Binding][] = [[source.row, rowBinding(relation.layout, present)]];
  const columns: NamedSql[] = present === null ? [] : [{ name: present, sql: TRUE }];
  if (source.position !== null) {
    const position = relation.position ?? freshColumn(context, 'c');
    const order = relation.keys.map((key) => sortText(key.sql, key));
    if (relation.position === null)
      columns.push({ name: position, sql: SQL`row_number() OVER (${order.length === 0 ? NOTHING : SQL`ORDER BY ${joinSql(order)}`}) - 1` });
    bindings.push([source.position, { kind: 'column', sql: position }]);
  }
  const keys = relation.keys.flatMap(({ sql }) => (sql.kind === 'column' ? [sql] : []));
  const own = new Set([...columnsOf(relation.layout), ...keys].map(({ name }) => name));
  const from = subquery(relation.sql);
  const rows = withColumns({ from, columns: own, scope: bindAll(scope, bindings), keys: relation.keys }, columns);
  return isWholeRelation(relation.sql) && rows.from === from
    ? rows
    : { ...rows, from: besideRows(context, [source.collection], scope, rows.from) };
}

const JOINS = { left: SQL`LEFT JOIN`, right: SQL`RIGHT JOIN`, full: SQL`FULL JOIN` } as const;

interface JoinOptions extends RelationOptions {
  /** Variables of the earlier sources. */
  readonly bound: ReadonlySet<VariableId>;
}

function joinSource(context: LoweringContext, left: Rows, source: PlanSource, scope: Scope, options: JoinOptions): Rows {
  // Within a correlated subquery, the second source is ordered within each element of the first.
  const isOfRow = options.keepsOrder && options.isExplicit && dependsOnRow(source.collection, scope);
  const right = readSource(context, source, scope, { ...options, keepsOrder: isOfRow });
  const names = new Set([...left.columns, ...right.columns]);
  const both = { columns: names, scope: withBoth(left, right), keys: [...left.keys, ...right.keys] };
  const sides = { left: options.bound, right: new Set(boundBySource(source)) };
  const crossed: Rows = { ...both, from: joined(SQL`${left.from} CROSS JOIN ${right.from}`) };
  if (source.join === 'cross' || source.join === 'inner') {
    const conditions = source.on === null ? [] : conjuncts(source.on);
    const keys = isWithinRow(scope) ? 0 : leadingKeys(conditions, sides).length;
    const isNative = (condition: Plan, i: number): boolean => i < keys || !isFallible(condition);
    const native = conditions.filter((condition, i) => isNative(condition, i) && !holdsSubquery(condition, both.scope));
    const hoisted = createHoistedColumns(context);
    const on = native.map((condition) => context.lowerValue(condition, { ...both.scope, hoisted, lambda: null }));
    if (hoisted.columns.length > 0) return keepWhere(context, crossed, conditions);
    const nativeJoin = joined(SQL`${left.from} JOIN ${right.from} ON ${joinSql(on, ' AND ')}`);
    return keepWhere(
      context,
      on.length === 0 ? crossed : { ...both, from: nativeJoin },
      conditions.filter((condition) => !native.includes(condition)),
      true,
    );
  }
  if (source.join === 'asof' || source.join === 'asof-left') throw new Error('the nearest row is joined by joinNearest');
  const matches = isWithinRow(scope) ? null : joinMatches(context, left, right, source, sides, both.scope);
  const join = matches ?? outerJoin(context, left, right, source, scope, sides);
  // For an unmatched row of the right side, the columns of the left are NULL.
  const nullable = both.keys.map(({ sql, isDescending, areNullsFirst }) => ({ sql, isDescending, areNullsFirst }));
  const keys = source.join === 'left' && right.keys.length === 0 ? (matches ?? left).keys : nullable;
  const isUnion = source.join === 'full' && isWithinRow(scope);
  if (isUnion) checkLimit('fullJoins', (context.fullJoins += 1), source.collection.span);
  const from = isUnion
    ? fullJoin(join, freshColumn(context, 'c'))
    : joined(SQL`${join.left} ${JOINS[source.join]} ${join.right} ON ${join.on}`);
  return { ...both, keys, from };
}

/** All columns of a join. */
function joined(from: Sql): Sql {
  return subquery(select({ takesAll: true, from }));
}

/**
 * Builds a FULL JOIN as the union of a left join with the unmatched rows of the right side: the engine rejects it in a
 * correlated subquery. `matched` is a new name of a column.
 */
function fullJoin({ left, right, on }: OuterJoin, matched: Column): Sql {
  // No NOT EXISTS: lambdas in the condition would not see the columns of the right side.
  const alone = SQL`SELECT * EXCLUDE (${matched}) FROM ${right} LEFT JOIN (SELECT *, TRUE AS ${matched} FROM ${left}) ON ${on} WHERE ${matched} IS NULL`;
  return subquery(SQL`SELECT * FROM ${left} LEFT JOIN ${right} ON ${on} UNION ALL BY NAME ${alone}`);
}

/** Merges the scopes of a join: the bindings of both sides, with hoisted outer columns of the left. */
function withBoth(left: Rows, right: Rows): Scope {
  return bindAll(right.scope, left.scope.variables);
}

/** Lowers an outer join. Its condition allows no subquery: parts that do not depend on the right side are computed beside the left. */
function outerJoin(context: LoweringContext, left: Rows, right: Rows, source: PlanSource, outer: Scope, sides: JoinSides): OuterJoin {
  const { on } = source;
  if (on === null) return { left: left.from, right: right.from, on: TRUE };
  const hoisted = createHoistedColumns(context);
  const own = boundBySource(source);
  const rows = withBoth(left, right);
  const scope: Scope = { ...bindAll(rows, besideLeft(on, outer, hoisted)), hoisted, lambda: new Set(own) };
  const conditions = conjuncts(on);
  const areKeys = !isWithinRow(outer) && !conditions.slice(leadingKeys(conditions, sides).length).some(isFallible);
  const lower = (part: Plan): Sql => context.lowerValue(part, scope);
  const asked = areKeys ? joinSql(conditions.map(lower), ' AND ') : lower(on);
  const condition = isFallibleConstant(on, scope) ? behindFoldBarrier(asked, scope) : asked;
  return { left: withHoistedColumns(left.from, hoisted), right: right.from, on: condition };
}

/** Hoists outer columns used by a condition beside the left side: the engine's outer joins see no others. */
function besideLeft(on: Plan, outer: Scope, hoisted: HoistedColumns): readonly (readonly [VariableId, Binding])[] {
  return [...freeVariables(on)].flatMap((id) => {
    const binding = outer.variables.get(id);
    return binding === undefined ? [] : [[id, boundTo(binding, (sql) => hoisted.add(sql))] as const];
  });
}

/** Lowers a source that depends on earlier ones: their rows, repeated for each element. Unnesting in a select list keeps the order. */
function unnestSource(context: LoweringContext, given: Rows, source: PlanSource, options: RelationOptions): Rows {
  const isExplicit = options.isExplicit && options.keepsOrder;
  // Physically ordered rows need an explicit order before those of their elements.
  const earlier = isExplicit && given.keys.length === 0 ? numberRows(context, given) : given;
  if (source.join === 'right' || source.join === 'full')
    throw new Error('the right side of RIGHT and FULL JOIN depends on no other source');
  const [list, element, key] = [freshColumn(context, 'c'), freshColumn(context, 'c'), freshColumn(context, 'k')];
  const isLeft = source.join === 'left';
  const { rows, result } = onRows(context, earlier, (scope) => {
    const elements = placed(context, source, context.lowerValue(source.collection, scope));
    return isLeft ? matching(context, elements, source, scope) : elements;
  });
  // A column of its own: the engine repeats all columns that an unnested expression uses, records with all their fields.
  const below = withColumns(rows, [{ name: list, sql: result }]);
  const padded = isLeft ? SQL`CASE WHEN len(${list}) > 0 THEN ${list} ELSE [NULL] END` : list;
  const columns = [
    { name: element, sql: SQL`unnest(${padded})` },
    ...(isExplicit
      ? [
          {
            name: key,
            sql: SQL`unnest(${isLeft ? SQL`CASE WHEN len(${list}) > 0 THEN range(len(${list})) ELSE [0] END` : SQL`range(len(${list}))`})`,
          },
        ]
      : []),
  ];
  const all: Rows = {
    ...withColumns(below, columns),
    scope: bindAll(
      earlier.scope,
      partsOfElement(source, element).map(([id, sql]) => [id, { kind: 'column', sql }]),
    ),
    keys: isExplicit ? [...earlier.keys, byPosition(key)] : earlier.keys,
  };
  return isLeft || source.on === null ? all : keepWhere(context, all, conjuncts(source.on));
}

/** Filters elements by ON. */
function matching(context: LoweringContext, list: Sql, source: PlanSource, scope: Scope): Sql {
  if (source.on === null) return list;
  const element = freshColumn(context, 'x');
  const inside = bindLambda(scope, partsOfElement(source, element));
  return SQL`list_filter(${list}, lambda ${element}: coalesce(${context.lowerValue(source.on, inside)}, FALSE))`;
}
