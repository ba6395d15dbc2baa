import type { Parameter, Plan, Span, Type, VariableId } from '@svc/query-language';

import { valueSizes, type ValueSizes } from '../analysis/value-sizes.ts';
import { duckType } from '../representation/duck-type.ts';
import type { RelationLayout, RelationPart } from '../representation/relation-layout.ts';
import { quoteText } from '../representation/sql-text.ts';
import type { CallContext } from './lowering-types.ts';
import { NOTE_FAILURE } from './note-failure.ts';

/** A relation: SQL that can be in parentheses after FROM, and the layout of its rows. */
export interface Relation {
  readonly sql: string;
  readonly layout: RelationLayout;
  /** The SELECTs that `sql` unites, for readers of fewer columns. */
  readonly parts?: readonly RelationPart[];
}

/** Environment of the lowering. */
export interface LoweringEnvironment {
  /** The relation that reads the source of a Read node. */
  readonly reader: (key: string) => Relation;
  /** The relation of a user table. */
  readonly tableScan: (table: string) => Relation;
  /**
   * Lowers fallible parts so that each failure reports its position; slower, for a second run. The failure's message is
   * empty then: that of the first run applies.
   */
  readonly hasErrorPositions?: boolean;
  /** Called for each value before it is lowered. May throw to abort. */
  readonly onPart?: (() => void) | undefined;
}

/** A failure that a statement can raise: its text (empty: the failure brings its own) and its place. */
export interface RaisedFailure {
  readonly message: string;
  readonly span: Span;
}

/** State of one lowering. */
export interface LoweringContext {
  readonly environment: LoweringEnvironment;
  readonly failures: Map<string, RaisedFailure>;
  readonly places: Span[];
  readonly parameters: string[];
  /** Common table expressions, in the order in which they must stand. */
  readonly tables: string[];
  /** Tables of values that are read by a subquery, by the SQL of that. */
  readonly valueTables: Map<string, string>;
  /** Names of columns that readers brought with them. */
  readonly readerColumns: Set<string>;
  readonly sizes: ValueSizes;
  nextName: number;
  /** Number of subqueries lowered so far. */
  subqueries: number;
  /** How many FULL JOINs in what depends on a row. */
  fullJoins: number;
  /** SQL of the number under which failures are recorded; null if they are raised. */
  noteKey: string | null;
  /** Maximum number of bytes that the parts lowered so far may produce per row; 0 if that is little. */
  outputBytes: number;
}

/** A context for one plan. */
export function createLoweringContext(environment: LoweringEnvironment, plan: Plan): LoweringContext {
  return {
    environment,
    failures: new Map(),
    places: [],
    parameters: [],
    tables: [],
    valueTables: new Map(),
    readerColumns: new Set(),
    subqueries: 0,
    fullJoins: 0,
    sizes: valueSizes(plan),
    nextName: 1,
    noteKey: null,
    outputBytes: 0,
  };
}

/**
 * Returns a name that is unique in the statement, so that columns need no qualification: neither in enclosing subselects nor
 * in nested subqueries.
 */
export function freshName(context: LoweringContext, prefix: string): string {
  const name = `${prefix}${context.nextName}`;
  context.nextName += 1;
  return name;
}

/** A variable that no plan has: those of the checker are not negative. */
export function newVariable(context: LoweringContext): VariableId {
  context.nextName += 1;
  return -context.nextName;
}

/** Adds a table of one value, and returns the subquery that reads it. */
export function addValueTable(context: LoweringContext, name: string, row: { readonly value: string; readonly from: string }): string {
  context.tables.push(`${name} AS MATERIALIZED (SELECT ${row.value} AS v FROM ${row.from})`);
  const sql = `(SELECT v FROM ${name})`;
  context.valueTables.set(sql, name);
  return sql;
}

interface CalledNode {
  readonly span: Span;
  readonly type: Type;
}

interface CallOptions {
  readonly functionName: string;
  /** True within TRY, where the engine allows no volatile function: failures are texts that are not JSON then. */
  readonly isInTry: boolean;
}

/** Creates the context of a node's lowering, at the node's span. */
export function callContext(context: LoweringContext, node: CalledNode, { functionName, isInTry }: CallOptions): CallContext {
  const newFailure = (message: string): string => {
    const id = `E${context.failures.size + 1}`;
    context.failures.set(id, { message, span: node.span });
    return id;
  };
  const { noteKey } = context;
  const fail = (messageSql: string, type: Type): string =>
    `CAST(${noteKey === null ? `error(${messageSql})` : `${NOTE_FAILURE}(${noteKey}, ${messageSql})`} AS ${duckType(type)})`;
  return {
    functionName,
    isInTry,
    isNoted: noteKey !== null && !isInTry,
    hasErrorPositions: context.environment.hasErrorPositions === true,
    evaluatedPer: 'statement',
    generators: context.sizes.generators,
    type: node.type,
    raise: (message, type) => (isInTry ? silentFailure(type) : fail(quoteText(newFailure(message)), type)),
    raiseText: (messageSql, type) => (isInTry ? silentFailure(type) : fail(`concat('${newFailure('')}:', ${messageSql})`, type)),
    castLine: (sql) => {
      context.places.push(node.span);
      return `\n/*@${context.places.length - 1}*/ ${sql}\n`;
    },
  };
}

function silentFailure(type: Type): string {
  return `CAST(json('fails') AS ${duckType(type)})`;
}

/** The place-holder of a parameter; each name has one number. */
export function parameterSql(context: LoweringContext, parameter: Parameter): string {
  let index = context.parameters.indexOf(parameter.name);
  if (index < 0) index = context.parameters.push(parameter.name) - 1;
  const isList = parameter.type.kind === 'CollectionType';
  const value = `CAST($${index + 1} AS VARCHAR)`;
  if (isList) return `from_json(CAST(${value} AS JSON), '["VARCHAR"]')`;
  if (parameter.type.kind === 'PrimitiveType' && parameter.type.name === 'string') return value;
  return `CAST(${value} AS ${duckType(parameter.type)})`;
}

/** The places of the casts by line of the final SQL, from 1. */
export function placesByLine(placesOfCasts: readonly Span[], sql: string): ReadonlyMap<number, Span> {
  const places = new Map<number, Span>();
  for (const [i, line] of sql.split('\n').entries()) {
    const marker = /^\/\*@(\d+)\*\//.exec(line);
    const span = marker === null ? undefined : placesOfCasts[Number(marker[1])];
    if (span !== undefined) places.set(i + 1, span);
  }
  return places;
}
