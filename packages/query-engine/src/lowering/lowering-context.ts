import type { Parameter, Plan, Span, Type, VariableId } from '@svc/query-language';

import { findAmbiguousIntervals } from '../analysis/ambiguous-intervals.ts';
import { dependsOnRow, isWithinRow } from '../analysis/correlation.ts';
import { findLongValues, type LongValues } from '../analysis/long-values.ts';
import { isRelational } from '../analysis/relational-analysis.ts';
import { bindingOf } from '../analysis/scope-bindings.ts';
import { somePart } from '../analysis/variables.ts';
import { isVolatile } from '../analysis/volatility.ts';
import { duckType } from '../representation/duck-type.ts';
import type { RelationLayout, RelationPart } from '../representation/relation-layout.ts';
import { materialized, select } from '../sql/select.ts';
import { castTo, columnRef, located, SQL, textLiteral, verbatim, type Column, type Sql } from '../sql/sql.ts';
import type { CallContext } from './lowering-types.ts';
import { NOTE_FAILURE } from './note-failure.ts';
import type { SortColumn } from './scalars/sort-key.ts';
import type { Scope } from './scope.ts';

/** A relation: a query, and the layout of its rows. */
export interface Relation {
  readonly sql: Sql;
  readonly layout: RelationLayout;
}

/** A relation whose rows are ordered by these columns, which are not in its layout; without any, rows are in physical order. */
export interface OrderedRelation extends Relation {
  readonly keys: readonly SortColumn[];
  /** A column with the row's position from 0, if requested. */
  readonly position: Column | null;
}

/** Requirements of a relation's reader. */
export interface RelationOptions {
  readonly keepsOrder: boolean;
  /**
   * True if the order must be given by columns, since the relation is in a correlated subquery: the engine converts that to
   * a join, which loses the order of rows.
   */
  readonly isExplicit: boolean;
}

/** The relation of a reader: its finished SQL. */
export interface ReaderRelation {
  readonly sql: string;
  readonly layout: RelationLayout;
  /** The SELECTs that `sql` unites, for readers of fewer columns. */
  readonly parts?: readonly RelationPart[];
}

/** Environment of the lowering. */
export interface LoweringEnvironment {
  /** The relation that reads the source of a Read node. */
  readonly reader: (key: string) => ReaderRelation;
  /** The relation of a user table. */
  readonly tableScan: (table: string) => ReaderRelation;
  /**
   * Lowers fallible parts so that each failure reports its position; slower, for a second run. The failure's message is
   * empty then: that of the first run applies.
   */
  readonly hasErrorPositions?: boolean;
}

/** A failure that a statement can raise: its text (empty: the failure brings its own) and its place. */
export interface RaisedFailure {
  readonly message: string;
  readonly span: Span;
}

/** The recursion over a plan. A file that lowers one kind of plan calls it through the context: an import would be a cycle. */
interface Recursion {
  /** Returns the SQL expression of a plan's value. */
  readonly lowerValue: (plan: Plan, scope: Scope) => Sql;
  /** The same, but a decimal keeps its own scale. */
  readonly lowerDigits: (plan: Plan, scope: Scope) => Sql;
  /** Returns the relation of a collection-valued plan: one row per element, in columns of new names. NULL counts as empty. */
  readonly lowerRelation: (plan: Plan, scope: Scope, options: RelationOptions) => OrderedRelation;
}

/** The functions behind the recursion. */
interface Implementation {
  readonly lowerValue: (context: LoweringContext, ...args: Parameters<Recursion['lowerValue']>) => Sql;
  readonly lowerDigits: (context: LoweringContext, ...args: Parameters<Recursion['lowerDigits']>) => Sql;
  readonly lowerRelation: (context: LoweringContext, ...args: Parameters<Recursion['lowerRelation']>) => OrderedRelation;
}

/** State of one lowering. */
export interface LoweringContext extends Recursion {
  readonly environment: LoweringEnvironment;
  readonly failures: Map<string, RaisedFailure>;
  readonly parameters: string[];
  /** Common table expressions, in the order in which they must stand. */
  readonly tables: Sql[];
  /** Tables of values that are read by a subquery, by the SQL of that. */
  readonly valueTables: Map<Sql, Column>;
  /** Names of columns that readers brought with them. */
  readonly readerColumns: Set<string>;
  readonly longValues: LongValues;
  readonly isAmbiguousInterval: (part: Plan) => boolean;
  nextName: number;
  /** Number of subqueries lowered so far. */
  subqueries: number;
  /** Number of FULL JOINs in the parts that depend on a row. */
  fullJoins: number;
  /** SQL of the number under which failures are recorded; null if they are raised. */
  noteKey: Sql | null;
  /** True if a part lowered so far makes a long value for each row. */
  makesLongValues: boolean;
}

/** Creates the context of one plan's lowering. */
export function createLoweringContext(
  environment: LoweringEnvironment,
  plan: Plan,
  { lowerValue, lowerDigits, lowerRelation }: Implementation,
): LoweringContext {
  const context: LoweringContext = {
    lowerValue: (part, scope) => lowerValue(context, part, scope),
    lowerDigits: (part, scope) => lowerDigits(context, part, scope),
    lowerRelation: (part, scope, options) => lowerRelation(context, part, scope, options),
    environment,
    failures: new Map(),
    parameters: [],
    tables: [],
    valueTables: new Map(),
    readerColumns: new Set(),
    subqueries: 0,
    fullJoins: 0,
    longValues: findLongValues(plan),
    isAmbiguousInterval: findAmbiguousIntervals(plan),
    nextName: 1,
    noteKey: null,
    makesLongValues: false,
  };
  return context;
}

/**
 * Returns a column, a table or a lambda's variable with a name that is unique in the statement, so that columns need no
 * qualification: neither in enclosing subselects nor in nested subqueries.
 */
export function freshColumn(context: LoweringContext, prefix: string): Column {
  const column = columnRef(`${prefix}${context.nextName}`);
  context.nextName += 1;
  return column;
}

/** A variable that no plan has: those of the checker are not negative. */
export function newVariable(context: LoweringContext): VariableId {
  context.nextName += 1;
  return -context.nextName;
}

/** Adds a table of one value, and returns the subquery that reads it. */
export function addValueTable(context: LoweringContext, table: Column, row: { readonly value: Sql; readonly from: Sql }): Sql {
  context.tables.push(materialized(table, SQL`SELECT ${row.value} AS v FROM ${row.from}`));
  const sql = SQL`(SELECT v FROM ${table})`;
  context.valueTables.set(sql, table);
  return sql;
}

interface CalledNode {
  readonly span: Span;
  readonly type: Type;
}

/** Creates the context of a node's lowering, at the node's span. Within TRY the engine allows no volatile function: a failure is a text that is not JSON. */
export function callContext(
  context: LoweringContext,
  node: CalledNode,
  functionName: string,
  { isInTry }: Pick<Scope, 'isInTry'>,
): CallContext {
  const newFailure = (message: string): string => {
    const id = `E${context.failures.size + 1}`;
    context.failures.set(id, { message, span: node.span });
    return id;
  };
  const { noteKey } = context;
  const fail = (messageSql: Sql, type: Type): Sql =>
    castTo(noteKey === null ? SQL`error(${messageSql})` : SQL`${verbatim(NOTE_FAILURE)}(${noteKey}, ${messageSql})`, duckType(type));
  return {
    functionName,
    isInTry,
    isNoted: noteKey !== null && !isInTry,
    hasErrorPositions: context.environment.hasErrorPositions === true,
    limits: null,
    type: node.type,
    raise: (message, type) => (isInTry ? silentFailure(type) : fail(textLiteral(newFailure(message)), type)),
    raiseText: (messageSql, type) =>
      isInTry ? silentFailure(type) : fail(SQL`concat(${textLiteral(`${newFailure('')}:`)}, ${messageSql})`, type),
    castLine: (sql) => located(sql, node.span),
  };
}

function silentFailure(type: Type): Sql {
  return castTo(SQL`json('fails')`, duckType(type));
}

/** The place-holder of a parameter; each name has one number. */
export function parameterSql(context: LoweringContext, parameter: Parameter): Sql {
  let index = context.parameters.indexOf(parameter.name);
  if (index < 0) index = context.parameters.push(parameter.name) - 1;
  const isList = parameter.type.kind === 'CollectionType';
  const value = castTo(SQL`$${index + 1}`, 'VARCHAR');
  if (isList) return SQL`from_json(CAST(${value} AS JSON), '["VARCHAR"]')`;
  if (parameter.type.kind === 'PrimitiveType' && parameter.type.name === 'string') return value;
  return castTo(value, duckType(parameter.type));
}

/**
 * Returns a FROM of rows that are made of these parts: if they depend on no row around and read a table of WITH, as another such
 * table. In a correlated subquery the engine compares all rows of another query over one with all rows around.
 */
export function besideRows(context: LoweringContext, parts: readonly Plan[], scope: Scope, from: Sql): Sql {
  const isTable = (part: Plan): boolean => {
    const kind = bindingOf(part, scope)?.kind;
    return kind === 'relation' || kind === 'shared' || (part.kind === 'Field' && isRelational(part, scope.variables));
  };
  const readsTable = parts.some((whole) => somePart(whole, isTable));
  const isOwn = isWithinRow(scope) && !parts.some((part) => dependsOnRow(part, scope) || isVolatile(part));
  return readsTable && isOwn ? addRowsTable(context, from) : from;
}

/** Adds a common table expression of rows, so that they are computed once, and returns its name. */
export function addRowsTable(context: LoweringContext, from: Sql): Column {
  const name = freshColumn(context, 'd');
  context.tables.push(materialized(name, select({ takesAll: true, from })));
  return name;
}
