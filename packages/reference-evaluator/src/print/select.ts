import type { FrameEdge, Groupings, Item, Order, OrderedChain, Select, Source, Term, Window } from '../program/term.ts';
import { outermostTerms } from '../program/tree.ts';
import { LEVELS } from './levels.ts';

/** Prints the terms of a clause. */
export interface TermPrinter {
  /** Prints a term in parentheses if its precedence is below a level. */
  readonly at: (level: number, term: Term) => string;
  /** Prints a clause, argument or field: a SELECT and a chain of set operators need parentheses there. */
  readonly part: (term: Term) => string;
}

/** Prints `SELECT …`. */
export function printSelect(select: Select, terms: TermPrinter): string {
  const { part } = terms;
  const clause = (word: string, parts: readonly string[]): string => (parts.length === 0 ? '' : ` ${word} ${parts.join(', ')}`);
  const single = (word: string, term: Term | null): string => (term === null ? '' : ` ${word} ${part(term)}`);
  const items = select.items.flatMap((item, i) => printItem(item, select.items, i, terms));
  const keys = select.keys.map(({ value, alias, position }) =>
    position === null ? part(value) + (alias === null ? '' : ` AS ${alias}`) : String(position),
  );
  const distinct = select.distinctOn.length > 0 ? `DISTINCT ON (${select.distinctOn.map(part).join(', ')}) ` : 'DISTINCT ';
  const isAll = !select.isDistinct && select.distinctOn.length === 0;
  return (
    `SELECT ${isAll ? '' : distinct}${items.join(', ')} FROM ${select.sources.map((source) => printSource(source, terms)).join('')}` +
    single('WHERE', select.where) +
    clause('GROUP BY', select.groupings === null ? keys : [printGroupings(select.groupings, keys)]) +
    single('HAVING', select.having) +
    clause(
      'WINDOW',
      declaredWindows(select).map((window) => `${window.declaredAs} AS ${printOver(window, terms)}`),
    ) +
    single('QUALIFY', select.qualify) +
    clause(
      'ORDER BY',
      select.orderBy.map((order) => printOrder(order, terms)),
    ) +
    single('LIMIT', select.limit) +
    single('OFFSET', select.offset)
  );
}

function printGroupings({ word, sets }: Groupings, keys: readonly string[]): string {
  if (word !== 'GROUPING SETS') return `${word} (${keys.join(', ')})`;
  return `GROUPING SETS (${sets.map((set) => `(${set.map((place) => keys[place]).join(', ')})`).join(', ')})`;
}

function declaredWindows({ id, items }: Select): readonly Window[] {
  const isDeclared = (node: Readonly<Record<string, unknown>>): boolean =>
    node['kind'] === 'window' && node['select'] === id && node['declaredAs'] !== null;
  return outermostTerms(items, isDeclared) as unknown as readonly Window[];
}

/** Prints `(PARTITION BY … ORDER BY … ROWS BETWEEN … AND …)`. */
export function printOver({ partitionBy, orderBy, frame }: Window, terms: TermPrinter): string {
  const clauses = [
    partitionBy.length === 0 ? '' : `PARTITION BY ${partitionBy.map(terms.part).join(', ')}`,
    orderBy.length === 0 ? '' : `ORDER BY ${orderBy.map((order) => printOrder(order, terms)).join(', ')}`,
    frame === null ? '' : `${frame.unit} BETWEEN ${printEdge(frame.start, terms)} AND ${printEdge(frame.end, terms)}`,
  ];
  return `(${clauses.filter((clause) => clause !== '').join(' ')})`;
}

function printEdge({ side, offset }: FrameEdge, { part }: TermPrinter): string {
  return side === 'CURRENT ROW' ? side : `${offset === null ? 'UNBOUNDED' : part(offset)} ${side}`;
}

/** Prints an item. A spread `*` is printed at the position of its first field. */
function printItem(
  { value, field, isFieldWritten, spread }: Item,
  items: readonly Item[],
  place: number,
  { part }: TermPrinter,
): readonly string[] {
  if (spread === undefined) return [printBare(value, part) + (isFieldWritten && field !== null ? ` AS ${field}` : '')];
  if (items[place - 1]?.spread === spread) return [];
  const { alias, excluded, replaced } = spread;
  const written = replaced.map((one) => `${part(one.value)} AS ${one.name}`);
  const rest = [
    excluded.length === 0 ? '' : ` EXCLUDE (${excluded.join(', ')})`,
    written.length === 0 ? '' : ` REPLACE (${written.join(', ')})`,
  ];
  return [`${alias === null ? '' : `${alias}.`}*${rest.join('')}`];
}

function printSource({ join, alias, isAliasWritten, position, collection, on, using }: Source, terms: TermPrinter): string {
  const before = join === null ? '' : join === ',' ? ', ' : ` ${join} `;
  const name = (isAliasWritten && alias !== null ? ` AS ${alias}` : '') + (position === null ? '' : ` AT ${position.name}`);
  const names = using.map((merged) => merged.name).join(', ');
  const condition = names !== '' ? ` USING (${names})` : on === null ? '' : ` ON ${terms.part(on)}`;
  return `${before}${printBare(collection, (rows) => printRows(rows, terms))}${name}${condition}`;
}

/** Prints a collection as a source: an aggregate query would be one row, in braces it is a collection. */
function printRows(collection: Term, { at }: TermPrinter): string {
  const text = at(LEVELS.or, collection);
  return collection.kind === 'select' && collection.isSingle ? `{ ${text} }` : text;
}

/** Prints `a UNION SELECT … ORDER BY …`; `operands` is the text of what stands before ORDER BY. */
export function printChain({ orderBy, limit, offset }: OrderedChain, operands: string, { part }: TermPrinter): string {
  const keys = orderBy.map((key) => {
    const direction = `${key.isDescending ? ' DESC' : ''}${key.nulls === null ? '' : ` NULLS ${key.nulls.toUpperCase()}`}`;
    return `${key.name ?? key.index + 1}${direction}`;
  });
  const bound = (word: string, term: Term | null): string => (term === null ? '' : ` ${word} ${part(term)}`);
  return `${operands} ORDER BY ${keys.join(', ')}${bound('LIMIT', limit)}${bound('OFFSET', offset)}`;
}

/** Prints a key of ORDER BY. */
export function printOrder({ value, isDescending, nulls }: Order, { part }: TermPrinter): string {
  return `${part(value)}${isDescending ? ' DESC' : ''}${nulls === null ? '' : ` NULLS ${nulls.toUpperCase()}`}`;
}

/** Prints a group without parentheses, which is allowed as an item, a source and in calls only. */
const printBare = (term: Term, print: (term: Term) => string): string => (term.kind === 'star' ? '*' : print(term));
