import type { Span } from '@svc/query-language';

/**
 * A piece of SQL as a tree: an expression, a relation, or a clause. Only `printSql` makes text of it. A string is no SQL: it
 * enters a tree as a literal, or as a name, which the printer quotes.
 */
export type Sql = Template | Column | Variable | Member | Literal | Verbatim | Cast | Located | List;

interface Node {
  /** Number of characters when printed; approximate where quotes are added. */
  readonly size: number;
}

/** Text of the dialect with nodes in its gaps. */
interface Template extends Node {
  readonly kind: 'template';
  readonly strings: readonly string[];
  readonly parts: readonly Sql[];
}

/** A column, or a table, by name. */
export interface Column extends Node {
  readonly kind: 'column';
  readonly name: string;
}

/** The variable of a lambda, by a name that needs no quotes. */
interface Variable extends Node {
  readonly kind: 'variable';
  readonly name: string;
}

/** A member of a struct, by name. */
interface Member extends Node {
  readonly kind: 'member';
  readonly target: Sql;
  readonly name: string;
}

/** A constant text. */
interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: string;
}

/** A number, a keyword, a type, or the finished SQL of a reader: printed unchanged. */
interface Verbatim extends Node {
  readonly kind: 'verbatim';
  readonly text: string;
  readonly isConstant: boolean;
}

/** `CAST(value AS type)`. */
interface Cast extends Node {
  readonly kind: 'cast';
  readonly value: Sql;
  readonly type: string;
}

/** SQL on a line of its own: a failure that the engine reports there has its place in the program. */
interface Located extends Node {
  readonly kind: 'located';
  readonly value: Sql;
  readonly span: Span;
}

/** Nodes with a separator between them. */
interface List extends Node {
  readonly kind: 'list';
  readonly parts: readonly Sql[];
  readonly separator: string;
}

/** The texts of a template in the source, with line breaks and the blanks after them as one blank; the same array is the same template. */
const TEXTS = new WeakMap<TemplateStringsArray, { readonly strings: readonly string[]; readonly size: number }>();

function textsOf(source: TemplateStringsArray): { readonly strings: readonly string[]; readonly size: number } {
  const known = TEXTS.get(source);
  if (known !== undefined) return known;
  const strings = source.map((text) => text.replaceAll(/\n */g, ' '));
  const made = { strings, size: strings.reduce((sum, text) => sum + text.length, 0) };
  TEXTS.set(source, made);
  return made;
}

/** Builds SQL from a template of the dialect, in one line or several: `` SQL`abs(${x})` ``. A number is printed as it is. */
export function SQL(source: TemplateStringsArray, ...values: readonly (Sql | number)[]): Sql {
  const { strings, size } = textsOf(source);
  if (values.length === 0) return { kind: 'verbatim', text: strings[0] ?? '', isConstant: false, size };
  const parts = values.map((value) => (typeof value === 'number' ? numberLiteral(value) : value));
  return { kind: 'template', strings, parts, size: size + sizeOf(parts) };
}

/** A column, or a table, by name. */
export function columnRef(name: string): Column {
  return { kind: 'column', name, size: name.length };
}

/** The variable of a lambda. */
export function variableRef(name: string): Sql {
  return { kind: 'variable', name, size: name.length };
}

/** A member of a struct. */
export function memberOf(target: Sql, name: string): Sql {
  return { kind: 'member', target, name, size: target.size + name.length + 1 };
}

/** A literal of any text. */
export function textLiteral(value: string): Sql {
  return { kind: 'literal', value, size: value.length + 2 };
}

/** A literal of a number that is written as its digits. */
export function numberLiteral(value: number | string): Sql {
  const text = String(value);
  return { kind: 'verbatim', text, isConstant: true, size: text.length };
}

/** Finished SQL: a word of the dialect, a type, or the statement of a reader. */
export function verbatim(text: string): Sql {
  return { kind: 'verbatim', text, isConstant: false, size: text.length };
}

/** `CAST(value AS type)`, with a type of the engine. */
export function castTo(value: Sql, type: string): Sql {
  return { kind: 'cast', value, type, size: value.size + type.length + 10 };
}

/** `TRY_CAST(value AS type)`: NULL if the value cannot be cast. */
export function tryCastTo(value: Sql, type: string): Sql {
  return SQL`TRY_CAST(${value} AS ${verbatim(type)})`;
}

/** A cast whose failure has a place in the program. */
export function located(value: Sql, span: Span): Sql {
  return { kind: 'located', value, span, size: value.size + 2 };
}

/** Nodes with a comma, or another separator, between them. */
export function joinSql(parts: readonly Sql[], separator = ', '): Sql {
  return { kind: 'list', parts, separator, size: sizeOf(parts) + separator.length * parts.length };
}

/**
 * OR of conditions that are NULL together, or not at all, as a CASE: the engine compares ANDs and ORs slowly, and each of a statement
 * with every other.
 */
export function anyOf(first: Sql, ...others: readonly Sql[]): Sql {
  const all = [first, ...others];
  return SQL`CASE ${joinSql(
    all.slice(0, -1).map((condition) => SQL`WHEN ${condition} THEN true`),
    ' ',
  )} ELSE ${all.at(-1) ?? first} END`;
}

/** AND of two conditions; see `anyOf`. */
export function bothOf(first: Sql, second: Sql): Sql {
  return SQL`CASE WHEN ${first} THEN ${second} ELSE ${first} END`;
}

/** The values with an associative operator between them, in a balanced tree: a chain takes the engine cubic time to plan. */
export function operatorTree(operator: '+' | '||', values: readonly Sql[]): Sql {
  if (values.length < 4) return joinSql(values, ` ${operator} `);
  const middle = values.length >> 1;
  const [left, right] = [operatorTree(operator, values.slice(0, middle)), operatorTree(operator, values.slice(middle))];
  return SQL`(${left}) ${verbatim(operator)} (${right})`;
}

/** A value with the column that is to hold it. */
export interface NamedSql {
  readonly name: Column;
  readonly sql: Sql;
}

/** `value AS name`. */
export function aliased({ name, sql }: NamedSql): Sql {
  return SQL`${sql} AS ${name}`;
}

export const NULL: Sql = constant('NULL');
export const TRUE: Sql = constant('TRUE');
export const FALSE: Sql = constant('FALSE');
/** No SQL: a clause that is left out. */
export const NOTHING: Sql = verbatim('');

function constant(text: string): Sql {
  return { kind: 'verbatim', text, isConstant: true, size: text.length };
}

function sizeOf(parts: readonly Sql[]): number {
  return parts.reduce((sum, part) => sum + part.size, 0);
}
