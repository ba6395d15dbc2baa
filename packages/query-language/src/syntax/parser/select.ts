import type { Expression, Join, Name, NamedWindow, ReplaceItem, SelectExpression, SelectItem, Source, StarItem } from '../ast.ts';
import type { Token } from '../token.ts';
import { parseGroupBy } from './group-by.ts';
import { parseOrderLimit } from './order-by.ts';
import type { Parser } from './parser.ts';
import { parseOptionalValues } from './sql-forms.ts';
import {
  expectLabel,
  expectName,
  expectSymbol,
  expectWord,
  isPlainName,
  isSymbol,
  isWord,
  many,
  nested,
  optionalSymbol,
  optionalWord,
  peek,
  spanFrom,
  take,
  toName,
  unexpected,
} from './token-reader.ts';
import { parseWindow } from './window.ts';

/** Keywords that may follow an item or a source, and therefore are no alias without AS. */
const NO_ALIAS: ReadonlySet<string> = new Set(
  `LIMIT OFFSET FETCH LEFT RIGHT FULL INNER OUTER CROSS USING ESCAPE QUALIFY WINDOW SKIP ERROR ASC DESC NULLS OVER FILTER WITH AT EXCLUDE REPLACE
  ROWS ILIKE`.split(/\s+/),
);

/** `SELECT [ALL | DISTINCT] items [FROM sources] [WHERE …] [GROUP BY …] [HAVING …] [ORDER BY …] [LIMIT …] [OFFSET …]` */
export function parseSelect(p: Parser): SelectExpression {
  const start = expectWord(p, 'SELECT');
  const hasDistinct = optionalWord(p, 'DISTINCT') !== null;
  if (!hasDistinct) optionalWord(p, 'ALL');
  const distinctOn = hasDistinct && isWord(peek(p), 'ON') ? parseDistinctOn(p) : [];
  const isDistinct = hasDistinct && distinctOn.length === 0;
  const items = many(p, () => parseItem(p));
  const sources = optionalWord(p, 'FROM') === null ? [] : parseSources(p);
  const where = optionalWord(p, 'WHERE') === null ? null : p.parseExpression();
  // ALL followed by parentheses is the function.
  const isGroupedByAll = ['GROUP', 'BY', 'ALL'].every((word, i) => isWord(peek(p, i), word)) && !isSymbol(peek(p, 3), '(');
  if (isGroupedByAll) p.index += 3;
  const grouping = isWord(peek(p), 'GROUP') ? parseGroupBy(p) : { groupBy: [], groupingSets: null };
  const having = optionalWord(p, 'HAVING') === null ? null : p.parseExpression();
  const windows = optionalWord(p, 'WINDOW') === null ? [] : many(p, () => parseNamedWindow(p));
  const qualify = optionalWord(p, 'QUALIFY') === null ? null : p.parseExpression();
  const order = parseOrderLimit(p);
  return {
    kind: 'SelectExpression',
    span: spanFrom(p, start),
    isDistinct,
    distinctOn,
    items,
    sources,
    where,
    ...grouping,
    isGroupedByAll,
    having,
    windows,
    qualify,
    ...order,
  };
}

/** `ON (e {, e})` */
function parseDistinctOn(p: Parser): readonly Expression[] {
  take(p);
  expectSymbol(p, '(');
  const keys = nested(p, true, () => many(p, () => p.parseExpression()));
  expectSymbol(p, ')');
  return keys;
}

/** `name AS (…)` */
function parseNamedWindow(p: Parser): NamedWindow {
  const start = peek(p);
  const name = expectName(p, 'the name of a window');
  expectWord(p, 'AS');
  const window = parseWindow(p, start);
  return { kind: 'NamedWindow', span: spanFrom(p, start), name, window };
}

/** `(* | alias.*) [EXCLUDE …] [REPLACE …] | name : expression | expression [[AS] name]` */
function parseItem(p: Parser): SelectItem {
  const start = peek(p);
  if (isSymbol(start, '*')) {
    take(p);
    return parseStarItem(p, start, null);
  }
  if (isPlainName(start) && isSymbol(peek(p, 1), '.') && isSymbol(peek(p, 2), '*')) {
    p.index += 3;
    return parseStarItem(p, start, toName(start));
  }
  const isNamed = (start.kind === 'word' || start.kind === 'quoted') && isSymbol(peek(p, 1), ':');
  if (isNamed) {
    p.index += 2;
    const value = p.parseExpression();
    return { kind: 'ExpressionItem', span: spanFrom(p, start), value, alias: toName(start) };
  }
  const value = p.parseExpression();
  const alias = parseAlias(p);
  return { kind: 'ExpressionItem', span: spanFrom(p, start), value, alias };
}

function parseStarItem(p: Parser, start: Token, source: Name | null): StarItem {
  let exclude: readonly Name[] = [];
  let replace: readonly ReplaceItem[] = [];
  if (isWord(peek(p), 'EXCLUDE') && isSymbol(peek(p, 1), '(')) {
    p.index += 2;
    exclude = many(p, () => expectName(p));
    expectSymbol(p, ')');
  }
  if (isWord(peek(p), 'REPLACE') && isSymbol(peek(p, 1), '(')) {
    p.index += 2;
    replace = many(p, (): ReplaceItem => {
      const first = peek(p);
      const value = p.parseExpression();
      expectWord(p, 'AS');
      const name = expectLabel(p);
      return { kind: 'ReplaceItem', span: spanFrom(p, first), value, name };
    });
    expectSymbol(p, ')');
  }
  const alias = parseAlias(p);
  return { kind: 'StarItem', span: spanFrom(p, start), source, exclude, replace, alias };
}

/** `[[AS] name]` */
function parseAlias(p: Parser): Name | null {
  if (optionalWord(p, 'AS') !== null) return expectLabel(p, 'a name');
  const token = peek(p);
  if (token.kind === 'quoted') return toName(take(p));
  if (!isPlainName(token)) return null;
  if (asofJoin(p) !== null) return null;
  return NO_ALIAS.has(token.keyword) || (UNKNOWN_JOINS.has(token.keyword) && isWord(peek(p, 1), 'JOIN')) ? null : toName(take(p));
}

/** `source { , source | [kind] JOIN source [ON e | USING (…)] }` */
function parseSources(p: Parser): readonly Source[] {
  const sources = [parseSource(p, null)];
  for (;;) {
    const start = peek(p);
    if (optionalSymbol(p, ',') !== null) {
      sources.push(parseSource(p, { kind: 'Join', span: start.span, type: 'cross', isComma: true, on: null, using: [] }));
      continue;
    }
    const type = joinType(p);
    if (type === null) return sources;
    const source = parseSource(p, null);
    const condition = parseJoinCondition(p, type);
    sources.push({
      ...source,
      span: spanFrom(p, start),
      join: { kind: 'Join', span: spanFrom(p, start), type, isComma: false, ...condition },
    });
  }
}

const JOINS = [
  ['INNER', 'inner'],
  ['LEFT', 'left'],
  ['RIGHT', 'right'],
  ['FULL', 'full'],
  ['CROSS', 'cross'],
] as const;

/** Unsupported joins: before JOIN these are no alias, since the join would silently be another one. */
const UNKNOWN_JOINS: ReadonlySet<string> = new Set(['NATURAL', 'SEMI', 'ANTI', 'POSITIONAL']);

/** `ASOF [INNER | LEFT [OUTER]] JOIN`: its type and number of words; null for other tokens. */
function asofJoin(p: Parser): { readonly type: Join['type']; readonly words: number } | null {
  if (!isWord(peek(p), 'ASOF')) return null;
  const isLeft = isWord(peek(p, 1), 'LEFT');
  const hasMore = isLeft && isWord(peek(p, 2), 'OUTER');
  const words = hasMore ? 4 : isLeft || isWord(peek(p, 1), 'INNER') ? 3 : 2;
  return isWord(peek(p, words - 1), 'JOIN') ? { type: isLeft ? 'asof-left' : 'asof', words } : null;
}

/** `[INNER | LEFT [OUTER] | RIGHT [OUTER] | FULL [OUTER] | CROSS | ASOF [INNER | LEFT [OUTER]]] JOIN`; null for other tokens. */
function joinType(p: Parser): Join['type'] | null {
  const asof = asofJoin(p);
  if (asof !== null) {
    p.index += asof.words;
    return asof.type;
  }
  if (optionalWord(p, 'JOIN') !== null) return 'inner';
  for (const [word, type] of JOINS) {
    if (!isWord(peek(p), word)) continue;
    const hasOuter = type !== 'inner' && type !== 'cross' && isWord(peek(p, 1), 'OUTER');
    if (!isWord(peek(p, hasOuter ? 2 : 1), 'JOIN')) return null;
    p.index += hasOuter ? 3 : 2;
    return type;
  }
  return null;
}

function parseJoinCondition(p: Parser, type: Join['type']): { readonly on: Expression | null; readonly using: readonly Name[] } {
  if (type === 'cross') return { on: null, using: [] };
  if (optionalWord(p, 'ON') !== null) return { on: p.parseExpression(), using: [] };
  if (optionalWord(p, 'USING') !== null) {
    expectSymbol(p, '(');
    const using = many(p, () => expectName(p));
    expectSymbol(p, ')');
    return { on: null, using };
  }
  return type !== 'right' && type !== 'full' ? { on: null, using: [] } : unexpected(p, 'ON or USING');
}

/** `alias IN e | alias = e | [LATERAL] (e | VALUES (…), …) [[AS] alias [(name, …)]] [AT position]` */
function parseSource(p: Parser, join: Join | null): Source {
  const start = peek(p);
  const isPrefixed = isPlainName(start) && (isWord(peek(p, 1), 'IN') || isSymbol(peek(p, 1), '='));
  const prefix = isPrefixed ? toName(start) : null;
  if (isPrefixed) p.index += 2;
  else if (isWord(start, 'LATERAL') && (isSymbol(peek(p, 1), '(') || isWord(peek(p, 1), 'UNNEST'))) take(p);
  const collection = parseRowsOfSource(p);
  const alias = prefix ?? parseAlias(p);
  const columns = alias === null ? [] : parseColumns(p);
  const position = isWord(peek(p), 'AT') && isPlainName(peek(p, 1)) ? positionOf(p) : null;
  return { kind: 'Source', span: spanFrom(p, start), join, collection, alias, columns, position };
}

function parseRowsOfSource(p: Parser): Expression {
  const start = peek(p);
  if (isSymbol(start, '*')) return { kind: 'StarExpression', span: take(p).span };
  return parseOptionalValues(p) ?? p.parseClauses();
}

/** `[( name {, name} )]` behind the alias of a source: names for its fields. */
export function parseColumns(p: Parser): readonly Name[] {
  if (optionalSymbol(p, '(') === null) return [];
  const columns = many(p, () => expectLabel(p));
  expectSymbol(p, ')');
  return columns;
}

function positionOf(p: Parser): Name {
  take(p);
  return expectName(p, 'the name of the position');
}
