import { spanning } from '../../text/span.ts';
import type { BinaryOperator, Expression, SetExpression } from '../ast.ts';
import type { Token } from '../token.ts';
import { parsePostfix } from './postfix.ts';
import { parseRecord } from './primary.ts';
import { parseOrderLimit } from './select.ts';
import type { TokenReader } from './token-reader.ts';
import { expectName, expectSymbol, expectWord, isSymbol, isWord, many, nested, optionalSymbol, optionalWord, peek, spanFrom, take } from './token-reader.ts';

/** An expression as loose as the place allows. */
export function parseExpression(p: TokenReader): Expression {
  return nested(p, p.allowsSet, () => (p.allowsSet ? parseUnion(p) : parseOr(p)));
}

/** `intersect { (UNION [ALL] | EXCEPT) intersect } [ORDER BY …] [LIMIT …] [OFFSET …]` */
function parseUnion(p: TokenReader): Expression {
  let left = parseIntersect(p);
  while (isWord(peek(p), 'UNION') || isWord(peek(p), 'EXCEPT')) {
    const token = take(p);
    const isAll = isWord(token, 'UNION') && optionalWord(p, 'ALL') !== null;
    if (isWord(token, 'UNION') && !isAll) optionalWord(p, 'DISTINCT');
    left = setExpression(left, isWord(token, 'EXCEPT') ? 'EXCEPT' : isAll ? 'UNION ALL' : 'UNION', token, parseIntersect(p));
  }
  return left.kind === 'SetExpression' && !p.parenthesized.has(left) ? withOrder(p, left) : left;
}

/** `or { INTERSECT or }` */
function parseIntersect(p: TokenReader): Expression {
  let left = parseOr(p);
  while (isWord(peek(p), 'INTERSECT')) {
    const token = take(p);
    left = setExpression(left, 'INTERSECT', token, parseOr(p));
  }
  return left;
}

function setExpression(left: Expression, operator: SetExpression['operator'], token: Token, right: Expression): SetExpression {
  return { kind: 'SetExpression', span: spanning(left.span, right.span), operator, operatorSpan: token.span, left, right };
}

/** What follows the last SELECT of a chain belongs to the chain. */
function withOrder(p: TokenReader, chain: SetExpression): Expression {
  const last = lastOperand(chain);
  if (last.kind === 'SelectExpression' && !p.parenthesized.has(last)) {
    const { orderBy, limit, offset } = last;
    if (orderBy.length === 0 && limit === null && offset === null) return chain;
    const operand = replaceLast(chain, { ...last, orderBy: [], limit: null, offset: null });
    return { kind: 'OrderedChain', span: chain.span, operand, orderBy, limit, offset };
  }
  const order = parseOrderLimit(p);
  if (order.orderBy.length === 0 && order.limit === null && order.offset === null) return chain;
  return { kind: 'OrderedChain', span: spanFrom(p, chain), operand: chain, ...order };
}

function lastOperand(expression: Expression): Expression {
  return expression.kind === 'SetExpression' ? lastOperand(expression.right) : expression;
}

function replaceLast(chain: SetExpression, last: Expression): SetExpression {
  return { ...chain, right: chain.right.kind === 'SetExpression' ? replaceLast(chain.right, last) : last };
}

/** Left-associative operators of one level: a loop, so that a long chain is no nesting. The tree leans to the left. */
function parseChain(p: TokenReader, operatorAt: (token: Token) => BinaryOperator | null, next: (p: TokenReader) => Expression): Expression {
  const start = peek(p);
  let left = next(p);
  for (let operator = operatorAt(peek(p)); operator !== null; operator = operatorAt(peek(p))) {
    const token = take(p);
    const right = next(p);
    left = { kind: 'BinaryExpression', span: spanFrom(p, start), operator, operatorSpan: token.span, left, right };
  }
  return left;
}

/** `and { OR and }` */
export function parseOr(p: TokenReader): Expression {
  return parseChain(p, (token) => (isWord(token, 'OR') ? 'OR' : null), parseAnd);
}

/** `not { AND not }` */
function parseAnd(p: TokenReader): Expression {
  return parseChain(p, (token) => (isWord(token, 'AND') ? 'AND' : null), parseNot);
}

/** `[NOT] comparison` */
function parseNot(p: TokenReader): Expression {
  const nots: Token[] = [];
  for (let token = optionalWord(p, 'NOT'); token !== null; token = optionalWord(p, 'NOT')) nots.push(token);
  let operand = parseComparison(p);
  for (const token of nots.reverse()) operand = { kind: 'UnaryExpression', span: spanning(token.span, operand.span), operator: 'NOT', operand };
  return operand;
}

const COMPARISONS: Readonly<Record<string, BinaryOperator>> = { '=': '=', '==': '=', '<>': '<>', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' };

/** `clause [comparison clause | [NOT] IN … | [NOT] [I]LIKE … | [NOT] BETWEEN … | IS …]`: no chains. */
function parseComparison(p: TokenReader): Expression {
  const start = peek(p);
  const left = parseClauses(p);
  const token = peek(p);
  const operator = token.kind === 'symbol' ? COMPARISONS[token.text] : undefined;
  if (operator !== undefined) {
    take(p);
    const right = parseClauses(p);
    return { kind: 'BinaryExpression', span: spanFrom(p, start), operator, operatorSpan: token.span, left, right };
  }
  if (isWord(token, 'IS')) return parseIs(p, left);
  const isNegated = isWord(token, 'NOT') && ['IN', 'LIKE', 'ILIKE', 'BETWEEN'].some((word) => isWord(peek(p, 1), word));
  if (isNegated) take(p);
  if (optionalWord(p, 'IN') !== null) return parseIn(p, left, isNegated);
  if (isWord(peek(p), 'LIKE') || isWord(peek(p), 'ILIKE')) return parseLike(p, left, isNegated);
  if (optionalWord(p, 'BETWEEN') === null) return left;
  const low = parseClauses(p);
  expectWord(p, 'AND');
  const high = parseClauses(p);
  return { kind: 'BetweenExpression', span: spanning(left.span, high.span), isNegated, operand: left, low, high };
}

/** `IS [NOT] NULL` or `IS [NOT] DISTINCT FROM clause` */
function parseIs(p: TokenReader, operand: Expression): Expression {
  expectWord(p, 'IS');
  const isNegated = optionalWord(p, 'NOT') !== null;
  if (optionalWord(p, 'DISTINCT') !== null) {
    expectWord(p, 'FROM');
    const right = parseClauses(p);
    return { kind: 'IsDistinctExpression', span: spanning(operand.span, right.span), isNegated, left: operand, right };
  }
  expectWord(p, 'NULL');
  return { kind: 'IsNullExpression', span: spanFrom(p, operand), isNegated, operand };
}

/** `IN (e, …)` is a list; otherwise a collection follows. */
function parseIn(p: TokenReader, operand: Expression, isNegated: boolean): Expression {
  if (!isSymbol(peek(p), '(') || isWord(peek(p, 1), 'SELECT') || isWord(peek(p, 1), 'WITH')) {
    const right = parseClauses(p);
    return { kind: 'InExpression', span: spanning(operand.span, right.span), isNegated, operand, right, list: null };
  }
  take(p);
  const list = nested(p, true, () => many(p, () => parseExpression(p)));
  expectSymbol(p, ')');
  return { kind: 'InExpression', span: spanFrom(p, operand), isNegated, operand, right: null, list };
}

/** `[I]LIKE clause [ESCAPE clause]` */
function parseLike(p: TokenReader, operand: Expression, isNegated: boolean): Expression {
  const isCaseInsensitive = isWord(take(p), 'ILIKE');
  const pattern = parseClauses(p);
  const escape = optionalWord(p, 'ESCAPE') === null ? null : parseClauses(p);
  return { kind: 'LikeExpression', span: spanFrom(p, operand), isNegated, isCaseInsensitive, operand, pattern, escape };
}

/** `append { INTO (…) | EXCLUDE (…) | PARSE AS regex [failure] }` */
export function parseClauses(p: TokenReader): Expression {
  let operand = parseAppend(p);
  for (;;) {
    if (isWord(peek(p), 'INTO')) {
      take(p);
      const record = parseRecord(p);
      operand = { kind: 'IntoExpression', span: spanFrom(p, operand), operand, record };
    } else if (isWord(peek(p), 'EXCLUDE') && isSymbol(peek(p, 1), '(')) {
      p.index += 2;
      const names = many(p, () => expectName(p));
      expectSymbol(p, ')');
      operand = { kind: 'ExcludeExpression', span: spanFrom(p, operand), operand, names };
    } else if (isWord(peek(p), 'PARSE') && isWord(peek(p, 1), 'AS')) {
      operand = parseParseAs(p, operand);
    } else return operand;
  }
}

/** `PARSE AS regex [SKIP ON FAIL | NULL ON FAIL | ERROR ON FAIL | (e) ON FAIL | literal ON FAIL]` */
function parseParseAs(p: TokenReader, operand: Expression): Expression {
  p.index += 2;
  const regex = parseAppend(p);
  const parse = { kind: 'ParseAsExpression', operand, regex } as const;
  const isFailure = (ahead: number): boolean => isWord(peek(p, ahead), 'ON') && isWord(peek(p, ahead + 1), 'FAIL');
  for (const [word, onFail] of [['SKIP', 'skip'], ['NULL', 'null'], ['ERROR', 'error']] as const) {
    if (!isWord(peek(p), word) || !isFailure(1)) continue;
    p.index += 3;
    return { ...parse, span: spanFrom(p, operand), onFail, failValue: null };
  }
  const mayBeValue = isSymbol(peek(p), '(') || isFailure(1) || isFailure(2);
  if (!mayBeValue) return { ...parse, span: spanFrom(p, operand), onFail: 'null', failValue: null };
  const failValue = parseUnary(p);
  expectWord(p, 'ON');
  expectWord(p, 'FAIL');
  return { ...parse, span: spanFrom(p, operand), onFail: 'value', failValue };
}

/** `sum { (++ | +++) sum }` */
export function parseAppend(p: TokenReader): Expression {
  return parseChain(p, (token) => (isSymbol(token, '++') ? '++' : isSymbol(token, '+++') ? '+++' : null), parseSum);
}

/** `product { (+ | - | ||) product }` */
function parseSum(p: TokenReader): Expression {
  return parseChain(p, (token) => (isSymbol(token, '+') ? '+' : isSymbol(token, '-') ? '-' : isSymbol(token, '||') ? '||' : null), parseProduct);
}

/** `unary { (* | / | %) unary }` */
function parseProduct(p: TokenReader): Expression {
  return parseChain(p, (token) => (isSymbol(token, '*') ? '*' : isSymbol(token, '/') ? '/' : isSymbol(token, '%') ? '%' : null), parseUnary);
}

/** `{ - | + } postfix`; a minus right before a number belongs to it. */
export function parseUnary(p: TokenReader): Expression {
  const signs: Token[] = [];
  while ((isSymbol(peek(p), '-') && peek(p, 1).kind !== 'number') || isSymbol(peek(p), '+')) signs.push(take(p));
  let operand = parsePostfix(p);
  for (const sign of signs.reverse()) {
    operand = { kind: 'UnaryExpression', span: spanning(sign.span, operand.span), operator: isSymbol(sign, '-') ? '-' : '+', operand };
  }
  return operand;
}

/** `[ e {, e} ]`-like lists that may be empty, up to the closing symbol, which is taken. */
export function parseListUntil(p: TokenReader, closing: string): readonly Expression[] {
  if (optionalSymbol(p, closing) !== null) return [];
  const list = nested(p, true, () => many(p, () => parseExpression(p)));
  expectSymbol(p, closing);
  return list;
}
