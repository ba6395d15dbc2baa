import { spanning } from '../../text/span.ts';
import type { Expression, SetExpression, UnaryExpression, ValueOperator } from '../ast.ts';
import type { Token } from '../token.ts';
import { between, binary } from './binary.ts';
import { parseComparison } from './comparison.ts';
import { parsePostfix } from './postfix.ts';
import { parseRecord } from './primary.ts';
import { parseOrderLimit } from './select.ts';
import type { TokenReader } from './token-reader.ts';
import {
  checkDepth,
  expectName,
  expectSymbol,
  expectWord,
  isSymbol,
  isWord,
  many,
  nested,
  optionalSymbol,
  optionalWord,
  outerSpan,
  peek,
  spanFrom,
  take,
} from './token-reader.ts';

/** An expression as loose as the place allows. */
export function parseExpression(p: TokenReader): Expression {
  return p.allowsSet ? parseUnion(p) : parseOr(p);
}

/** `intersect { (UNION | EXCEPT) [ALL | DISTINCT] intersect } [ORDER BY …] [LIMIT …] [OFFSET …]` */
function parseUnion(p: TokenReader): Expression {
  let left = parseIntersect(p);
  while (isWord(peek(p), 'UNION') || isWord(peek(p), 'EXCEPT')) {
    const token = take(p);
    const isAll = mayBeAll(p);
    const [some, all] = isWord(token, 'UNION') ? (['UNION', 'UNION ALL'] as const) : (['EXCEPT', 'EXCEPT ALL'] as const);
    left = setExpression(p, left, isAll ? all : some, token, parseIntersect(p));
  }
  return left.kind === 'SetExpression' && !p.parenthesized.has(left) ? withOrder(p, left) : left;
}

/** `or { INTERSECT [ALL | DISTINCT] or }` */
function parseIntersect(p: TokenReader): Expression {
  let left = parseOr(p);
  while (isWord(peek(p), 'INTERSECT')) {
    const token = take(p);
    const operator = mayBeAll(p) ? 'INTERSECT ALL' : 'INTERSECT';
    left = setExpression(p, left, operator, token, parseOr(p));
  }
  return left;
}

/** `[ALL | DISTINCT]` behind a set operator: whether it is ALL. */
function mayBeAll(p: TokenReader): boolean {
  const isAll = optionalWord(p, 'ALL') !== null;
  if (!isAll) optionalWord(p, 'DISTINCT');
  return isAll;
}

function setExpression(
  p: TokenReader,
  left: Expression,
  operator: SetExpression['operator'],
  token: Token,
  right: Expression,
): SetExpression {
  return { kind: 'SetExpression', span: between(p, left, right), operator, operatorSpan: token.span, left, right };
}

/** Attaches the clauses after the last SELECT of a chain to the whole chain. */
function withOrder(p: TokenReader, chain: SetExpression): Expression {
  const last = lastOperand(p, chain);
  if (last.kind === 'SelectExpression' && !p.parenthesized.has(last)) {
    const { orderBy, limit, offset } = last;
    if (orderBy.length === 0 && limit === null && offset === null) return chain;
    const operand = replaceLast(p, chain, { ...last, orderBy: [], limit: null, offset: null });
    return { kind: 'OrderedChain', span: chain.span, operand, orderBy, limit, offset };
  }
  const order = parseOrderLimit(p);
  if (order.orderBy.length === 0 && order.limit === null && order.offset === null) return chain;
  return { kind: 'OrderedChain', span: spanFrom(p, chain), operand: chain, ...order };
}

/** Returns the last operand as written. An INTERSECT may be the right side of a UNION, but a chain in parentheses is one operand. */
function lastOperand(p: TokenReader, expression: Expression): Expression {
  return expression.kind === 'SetExpression' && !p.parenthesized.has(expression) ? lastOperand(p, expression.right) : expression;
}

function replaceLast(p: TokenReader, chain: SetExpression, last: Expression): SetExpression {
  const { right } = chain;
  return { ...chain, right: right.kind === 'SetExpression' && !p.parenthesized.has(right) ? replaceLast(p, right, last) : last };
}

/** `and { OR and }`: a loop, as for all binary operators, so that a long chain does not nest. The tree leans to the left. */
export function parseOr(p: TokenReader): Expression {
  let left = parseAnd(p);
  for (let token = optionalWord(p, 'OR'); token !== null; token = optionalWord(p, 'OR'))
    left = binary(p, 'OR', token, { left, right: parseAnd(p) });
  return left;
}

/** `not { AND not }` */
function parseAnd(p: TokenReader): Expression {
  let left = parseNot(p);
  for (let token = optionalWord(p, 'AND'); token !== null; token = optionalWord(p, 'AND'))
    left = binary(p, 'AND', token, { left, right: parseNot(p) });
  return left;
}

/** `[NOT] comparison` */
function parseNot(p: TokenReader): Expression {
  const nots: Token[] = [];
  for (let token = optionalWord(p, 'NOT'); token !== null; token = optionalWord(p, 'NOT')) nots.push(token);
  return withSigns(p, nots, () => parseComparison(p));
}

/** Parses an operand after signs or NOTs, the last of which is the innermost. Each adds a level to the tree, so they count as nesting. */
function withSigns(p: TokenReader, signs: readonly Token[], read: () => Expression): Expression {
  if (signs.length === 0) return read();
  checkDepth(p, signs.length);
  p.depth += signs.length;
  let operand = read();
  p.depth -= signs.length;
  for (const token of [...signs].reverse()) {
    const operator = token.text.toUpperCase() as UnaryExpression['operator']; // the caller has looked at the tokens
    operand = { kind: 'UnaryExpression', span: spanning(token.span, outerSpan(p, operand)), operator, operand };
  }
  return operand;
}

/** `append { INTO (…) | EXCLUDE (…) | PARSE AS regex [failure] }`; `first` is its first operand if that has been read already. */
export function parseClauses(p: TokenReader, first?: Expression): Expression {
  let operand = parseBinary(p, APPEND, first);
  for (let count = 0; ; count += 1) {
    checkDepth(p, count);
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
  const regex = parsePostfix(p);
  const parse = { kind: 'ParseAsExpression', operand, regex } as const;
  const isFailure = (ahead: number): boolean => isWord(peek(p, ahead), 'ON') && isWord(peek(p, ahead + 1), 'FAIL');
  for (const [word, onFail] of [
    ['SKIP', 'skip'],
    ['NULL', 'null'],
    ['ERROR', 'error'],
  ] as const) {
    if (!isWord(peek(p), word) || !isFailure(1)) continue;
    p.index += 3;
    return { ...parse, span: spanFrom(p, operand), onFail, failValue: null };
  }
  const isTwoTokens = isSymbol(peek(p), '-') || peek(p, 1).kind === 'string';
  const mayBeValue = isSymbol(peek(p), '(') || isFailure(1) || (isTwoTokens && isFailure(2));
  if (!mayBeValue) return { ...parse, span: spanFrom(p, operand), onFail: 'null', failValue: null };
  const failValue = parseUnary(p);
  expectWord(p, 'ON');
  expectWord(p, 'FAIL');
  return { ...parse, span: spanFrom(p, operand), onFail: 'value', failValue };
}

/** Binding powers of the operators of values. */
const APPEND = 1;
const SUM = 2;
const PRODUCT = 3;
const LEVELS: Readonly<Record<ValueOperator, number>> = {
  '++': APPEND,
  '+++': APPEND,
  '+': SUM,
  '-': SUM,
  '||': SUM,
  '*': PRODUCT,
  '/': PRODUCT,
  '%': PRODUCT,
};

function isValueOperator(text: string): text is ValueOperator {
  return Object.hasOwn(LEVELS, text);
}

/** `operand { operator operand }` with operators of at least this level; `first` is the first operand if that has been read already. */
function parseBinary(p: TokenReader, level: number, first?: Expression): Expression {
  let left = first ?? parseUnary(p);
  for (;;) {
    const token = peek(p);
    if (token.kind !== 'symbol' || !isValueOperator(token.text) || LEVELS[token.text] < level) return left;
    take(p);
    left = binary(p, token.text, token, { left, right: parseBinary(p, LEVELS[token.text] + 1) });
  }
}

/** `sum { (++ | +++) sum }`, where `sum` is `product { (+ | - | ||) product }` and `product` is `unary { (* | / | %) unary }` */
export function parseAppend(p: TokenReader): Expression {
  return parseBinary(p, APPEND);
}

/** `{ - | + } postfix`; a minus right before a number belongs to it. */
function parseUnary(p: TokenReader): Expression {
  const signs: Token[] = [];
  while ((isSymbol(peek(p), '-') && peek(p, 1).kind !== 'number') || isSymbol(peek(p), '+')) signs.push(take(p));
  return withSigns(p, signs, () => parsePostfix(p));
}

/** `[ e {, e} ]`-like lists, possibly empty, up to and including the closing symbol. */
export function parseListUntil(p: TokenReader, closing: string): readonly Expression[] {
  if (optionalSymbol(p, closing) !== null) return [];
  const list = nested(p, true, () => many(p, () => parseExpression(p)));
  expectSymbol(p, closing);
  return list;
}
