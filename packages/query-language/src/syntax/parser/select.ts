import type { Expression, Join, Name, NamedWindow, ReplaceItem, SelectExpression, SelectItem, Source, StarItem } from '../ast.ts';
import { CLOSING, OPENING } from '../explain/fault.ts';
import { syntaxFault } from '../syntax-error.ts';
import type { Token } from '../token.ts';
import { parseGroupBy } from './group-by.ts';
import { parseOrderLimit } from './order-by.ts';
import type { Parser } from './parser.ts';
import { toName } from './parser.ts';
import { parseOptionalValues } from './sql-forms.ts';
import { parseWindow } from './window.ts';

/** Keywords that may follow an item or a source, and therefore are no alias without AS. */
const NO_ALIAS: ReadonlySet<string> = new Set(
  `LIMIT OFFSET FETCH LEFT RIGHT FULL INNER OUTER CROSS USING ESCAPE QUALIFY WINDOW SKIP ERROR ASC DESC NULLS OVER FILTER WITH AT EXCLUDE REPLACE
  ROWS ILIKE`.split(/\s+/),
);

/** `SELECT [ALL | DISTINCT [ON (e {, e})]] items [FROM sources] [WHERE …] [GROUP BY …] [HAVING …] [ORDER BY …] [LIMIT …] [OFFSET …]` */
export function parseSelect(p: Parser): SelectExpression {
  const start = p.expectWord('SELECT');
  const hasDistinct = p.optionalWord('DISTINCT') !== null;
  if (!hasDistinct) p.optionalWord('ALL');
  const isDistinctOn = hasDistinct && p.optionalWord('ON') !== null;
  const distinctOn = isDistinctOn ? p.inBrackets(() => p.many(() => p.parseExpression())) : [];
  const isDistinct = hasDistinct && !isDistinctOn;
  const items = p.many(parseItem);
  const sources = p.optionalWord('FROM') === null ? [] : parseSources(p);
  const where = p.optionalWord('WHERE') === null ? null : p.parseExpression();
  // ALL followed by parentheses is the function.
  const isGroupedByAll = !p.isSymbol('(', 3) && p.optionalWords('GROUP', 'BY', 'ALL');
  const grouping = p.isWord('GROUP') ? parseGroupBy(p) : { groupBy: [], groupingSets: null };
  const having = p.optionalWord('HAVING') === null ? null : p.parseExpression();
  const windows = p.optionalWord('WINDOW') === null ? [] : p.many(parseNamedWindow);
  const qualify = p.optionalWord('QUALIFY') === null ? null : p.parseExpression();
  const order = parseOrderLimit(p);
  return {
    kind: 'SelectExpression',
    span: p.spanFrom(start),
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

/** `name AS (…)` */
function parseNamedWindow(p: Parser): NamedWindow {
  const start = p.peek();
  const name = p.expectName('the name of a window');
  p.expectWord('AS');
  const window = parseWindow(p, start);
  return { kind: 'NamedWindow', span: p.spanFrom(start), name, window };
}

/** `(* | alias.*) [EXCLUDE …] [REPLACE …] | name : expression | expression [[AS] name]` */
function parseItem(p: Parser): SelectItem {
  const start = p.peek();
  if (p.optionalSymbol('*') !== null) return parseStarItem(p, start, null);
  if (p.isPlainName() && p.isSymbol('.', 1) && p.isSymbol('*', 2)) {
    p.index += 3;
    return parseStarItem(p, start, toName(start));
  }
  const label = p.optionalNameBefore(':');
  const value = p.parseExpression();
  const alias = label ?? parseAlias(p);
  return { kind: 'ExpressionItem', span: p.spanFrom(start), value, alias };
}

function parseStarItem(p: Parser, start: Token, source: Name | null): StarItem {
  const exclude = p.isSymbol('(', 1) && p.optionalWord('EXCLUDE') !== null ? p.namesInBrackets() : [];
  const replace = p.isSymbol('(', 1) && p.optionalWord('REPLACE') !== null ? parseReplacements(p) : [];
  const alias = parseAlias(p);
  return { kind: 'StarItem', span: p.spanFrom(start), source, exclude, replace, alias };
}

/** `( e AS name {, e AS name} )` */
function parseReplacements(p: Parser): readonly ReplaceItem[] {
  p.expectSymbol('(');
  const replacements = p.many((): ReplaceItem => {
    const first = p.peek();
    const value = p.parseExpression();
    p.expectWord('AS');
    const name = p.expectLabel();
    return { kind: 'ReplaceItem', span: p.spanFrom(first), value, name };
  });
  p.expectSymbol(')');
  return replacements;
}

/** `[[AS] name]` */
function parseAlias(p: Parser): Name | null {
  if (p.optionalWord('AS') !== null) return p.expectLabel('a name');
  const token = p.peek();
  if (token.kind === 'quoted') return toName(p.take());
  if (!p.isPlainName() || asofJoin(p) !== null) return null;
  return NO_ALIAS.has(token.keyword) || (UNKNOWN_JOINS.has(token.keyword) && p.isWord('JOIN', 1)) ? null : toName(p.take());
}

/** `joined { , joined | [kind] JOIN source [ON e | USING (…)] }` */
function parseSources(p: Parser): readonly Source[] {
  const sources = [...parseJoined(p, null)];
  for (;;) {
    const start = p.peek();
    if (p.optionalSymbol(',') !== null) {
      sources.push(...parseJoined(p, { kind: 'Join', span: start.span, type: 'cross', isComma: true, on: null, using: [] }));
      continue;
    }
    const type = joinType(p);
    if (type === null) return sources;
    refuseAfterComma(p, sources, type, start);
    const source = parseSource(p, null);
    const condition = parseJoinCondition(p, type);
    sources.push({
      ...source,
      span: p.spanFrom(start),
      join: { kind: 'Join', span: p.spanFrom(start), type, isComma: false, ...condition },
    });
  }
}

/** A source, or sources that are joined in brackets, which mean the same without these where no join is before them. */
function parseJoined(p: Parser, join: Join | null): readonly Source[] {
  if (!opensJoin(p)) return [parseSource(p, join)];
  const start = p.peek();
  const [first, ...others] = p.inBrackets(() => parseSources(p));
  if (first === undefined) throw new Error('FROM has a source');
  const alias = p.peek();
  if (parseAlias(p) !== null)
    syntaxFault('unsupported-construct', alias.span, 'an alias of joined sources', 'write (SELECT * FROM a JOIN b ON …) AS x');
  if (join !== null) for (const other of others) refuseAfterComma(p, [{ ...first, join }], other.join?.type ?? 'cross', start);
  return [{ ...first, join }, ...others];
}

/** Returns whether a bracket opens sources that are joined, and not a query or another value. */
function opensJoin(p: Parser): boolean {
  if (!p.isSymbol('(')) return false;
  for (let i = 1, depth = 1; depth > 0; i += 1) {
    const token = p.peek(i);
    if (token.kind === 'end' || (depth === 1 && token.keyword === 'SELECT')) return false;
    if (depth === 1 && token.keyword === 'JOIN') return true;
    if (token.kind === 'symbol') depth += OPENING.has(token.text) ? 1 : CLOSING.has(token.text) ? -1 : 0;
  }
  return false;
}

/** Refuses `a, b RIGHT JOIN c` and its FULL form: in SQL these join b and c before the comma, and here a source joins all before it. */
function refuseAfterComma(p: Parser, sources: readonly Source[], type: Join['type'], start: Token): void {
  if ((type !== 'right' && type !== 'full') || !sources.some(({ join }) => join?.isComma === true)) return;
  const name = `${type.toUpperCase()} JOIN`;
  const expected = `the joined sources first, as in FROM b ${name} c ON …, a, or CROSS JOIN for the comma`;
  syntaxFault('unexpected-token', p.spanFrom(start), `${name} after a comma`, expected);
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
  if (!p.isWord('ASOF')) return null;
  const isLeft = p.isWord('LEFT', 1);
  const hasMore = isLeft && p.isWord('OUTER', 2);
  const words = hasMore ? 4 : isLeft || p.isWord('INNER', 1) ? 3 : 2;
  return p.isWord('JOIN', words - 1) ? { type: isLeft ? 'asof-left' : 'asof', words } : null;
}

/** `[INNER | LEFT [OUTER] | RIGHT [OUTER] | FULL [OUTER] | CROSS | ASOF [INNER | LEFT [OUTER]]] JOIN`; null for other tokens. */
function joinType(p: Parser): Join['type'] | null {
  const asof = asofJoin(p);
  if (asof !== null) {
    p.index += asof.words;
    return asof.type;
  }
  if (p.optionalWord('JOIN') !== null) return 'inner';
  for (const [word, type] of JOINS) {
    if (!p.isWord(word)) continue;
    const hasOuter = type !== 'inner' && type !== 'cross' && p.isWord('OUTER', 1);
    if (!p.isWord('JOIN', hasOuter ? 2 : 1)) return null;
    p.index += hasOuter ? 3 : 2;
    return type;
  }
  return null;
}

function parseJoinCondition(p: Parser, type: Join['type']): { readonly on: Expression | null; readonly using: readonly Name[] } {
  if (type === 'cross') return { on: null, using: [] };
  if (p.optionalWord('ON') !== null) return { on: p.parseExpression(), using: [] };
  if (p.optionalWord('USING') !== null) return { on: null, using: p.namesInBrackets() };
  return type !== 'right' && type !== 'full' ? { on: null, using: [] } : p.unexpected('ON or USING');
}

/** `alias IN e | alias = e | [LATERAL] (e | VALUES (…), …) [[AS] alias [(name, …)]] [AT position]` */
function parseSource(p: Parser, join: Join | null): Source {
  const start = p.peek();
  const isPrefixed = p.isPlainName() && (p.isWord('IN', 1) || p.isSymbol('=', 1));
  const prefix = isPrefixed ? toName(start) : null;
  if (isPrefixed) p.index += 2;
  else if (start.keyword === 'LATERAL' && (p.isSymbol('(', 1) || p.isWord('UNNEST', 1))) p.take();
  const collection = parseRowsOfSource(p);
  const alias = prefix ?? parseAlias(p);
  const columns = alias === null ? [] : parseColumns(p);
  const position = p.isPlainName(1) && p.optionalWord('AT') !== null ? p.expectName() : null;
  return { kind: 'Source', span: p.spanFrom(start), join, collection, alias, columns, position };
}

function parseRowsOfSource(p: Parser): Expression {
  if (p.isSymbol('*')) return { kind: 'StarExpression', span: p.take().span };
  return parseOptionalValues(p) ?? p.parseClauses();
}

/** `[( name {, name} )]` behind the alias of a source: names for its fields. */
export function parseColumns(p: Parser): readonly Name[] {
  if (p.optionalSymbol('(') === null) return [];
  const columns = p.many(() => p.expectLabel());
  p.expectSymbol(')');
  return columns;
}
