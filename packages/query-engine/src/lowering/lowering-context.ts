import type { Parameter, Span, Type, VariableId } from '@svc/query-language';

import type { RelationLayout } from '../representation/relation-layout.ts';
import { duckType } from '../representation/duck-type.ts';
import { quoteText } from '../representation/sql-text.ts';
import type { CallContext } from './lowering-types.ts';

/** A relation: SQL that can stand in brackets after FROM, and how its rows stand in its columns. */
export interface Relation {
  readonly sql: string;
  readonly layout: RelationLayout;
}

/** What the lowering asks of the world. */
export interface LoweringEnvironment {
  /** The relation that reads the source of a Read node. */
  readonly reader: (key: string) => Relation;
  /** The relation of a user table. */
  readonly tableScan: (table: string) => Relation;
}

/** What a variable stands for where it is used. */
export type Binding =
  | { readonly kind: 'sql'; readonly sql: string }
  /** The columns of a row that is a record, one each; `present` is NULL where an outer join found no row. */
  | { readonly kind: 'row'; readonly columns: readonly string[]; readonly present: string | null }
  /** A collection that stands in a common table expression. */
  | { readonly kind: 'relation'; readonly name: string; readonly layout: RelationLayout };

/** The variables in sight. */
export type Scope = ReadonlyMap<VariableId, Binding>;

/** A failure that a statement can raise: its text (empty: the failure brings its own) and its place. */
export interface RaisedFailure {
  readonly message: string;
  readonly span: Span;
}

/** What one lowering collects. */
export interface LoweringContext {
  readonly environment: LoweringEnvironment;
  readonly failures: Map<string, RaisedFailure>;
  readonly places: Span[];
  readonly parameters: string[];
  /** Common table expressions, in the order in which they must stand. */
  readonly tables: string[];
  nextName: number;
}

/** A context for one plan. */
export function createLoweringContext(environment: LoweringEnvironment): LoweringContext {
  return { environment, failures: new Map(), places: [], parameters: [], tables: [], nextName: 1 };
}

/** A name that nothing else in the statement has. */
export function freshName(context: LoweringContext, prefix: string): string {
  const name = `${prefix}${context.nextName}`;
  context.nextName += 1;
  return name;
}

/** What the lowering of a node may ask for, at the node's place. */
export function callContext(context: LoweringContext, node: { readonly span: Span; readonly type: Type }, names: { readonly functionName: string; readonly overload: string }): CallContext {
  const addFailure = (message: string): string => {
    const id = `E${context.failures.size + 1}`;
    context.failures.set(id, { message, span: node.span });
    return id;
  };
  return {
    ...names, type: node.type,
    raise: (message, type) => `CAST(error(${quoteText(addFailure(message))}) AS ${duckType(type)})`,
    raiseText: (messageSql, type) => `CAST(error(concat(${quoteText(`${addFailure('')}:`)}, ${messageSql})) AS ${duckType(type)})`,
    castLine: (sql) => {
      context.places.push(node.span);
      return `\n/*@${context.places.length - 1}*/ ${sql}\n`;
    },
  };
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
export function placesByLine(context: LoweringContext, sql: string): ReadonlyMap<number, Span> {
  const places = new Map<number, Span>();
  for (const [i, line] of sql.split('\n').entries()) {
    const marker = /\/\*@(\d+)\*\//.exec(line);
    const span = marker === null ? undefined : context.places[Number(marker[1])];
    if (span !== undefined) places.set(i + 1, span);
  }
  return places;
}
