import type { Expression, SetExpression } from '../ast.ts';
import type { Token } from '../token.ts';
import { between, binary, lastOperand } from './binary.ts';
import { parseAppend, parseClauses, withSigns } from './clauses.ts';
import { parseComparison } from './comparison.ts';
import { parseOrderLimit } from './order-by.ts';
import { Parser } from './parser.ts';

/** Creates a parser at the first token. */
export function createParser(tokens: readonly Token[]): Parser {
  return new Parser(tokens, { expression: parseExpression, or: parseOr, clauses: parseClauses, append: parseAppend });
}

/** An expression as loose as the place allows. */
function parseExpression(p: Parser): Expression {
  return p.allowsSet ? parseUnion(p) : parseOr(p);
}

/** `intersect { (UNION | EXCEPT) [ALL | DISTINCT] intersect } [ORDER BY …] [LIMIT …] [OFFSET …]` */
function parseUnion(p: Parser): Expression {
  let left = parseIntersect(p);
  while (p.isWord('UNION') || p.isWord('EXCEPT')) {
    const token = p.take();
    const isAll = mayBeAll(p);
    const [some, all] = token.keyword === 'UNION' ? (['UNION', 'UNION ALL'] as const) : (['EXCEPT', 'EXCEPT ALL'] as const);
    left = setExpression(p, left, isAll ? all : some, token, parseIntersect(p));
  }
  return left.kind === 'SetExpression' && !p.parenthesized.has(left) ? withOrder(p, left) : left;
}

/** `or { INTERSECT [ALL | DISTINCT] or }` */
function parseIntersect(p: Parser): Expression {
  let left = parseOr(p);
  while (p.isWord('INTERSECT')) {
    const token = p.take();
    const operator = mayBeAll(p) ? 'INTERSECT ALL' : 'INTERSECT';
    left = setExpression(p, left, operator, token, parseOr(p));
  }
  return left;
}

/** `[ALL | DISTINCT]` behind a set operator: whether it is ALL. */
function mayBeAll(p: Parser): boolean {
  const isAll = p.optionalWord('ALL') !== null;
  if (!isAll) p.optionalWord('DISTINCT');
  return isAll;
}

function setExpression(p: Parser, left: Expression, operator: SetExpression['operator'], token: Token, right: Expression): SetExpression {
  return { kind: 'SetExpression', span: between(p, left, right), operator, operatorSpan: token.span, left, right };
}

/** Attaches the clauses after the last SELECT of a chain to the whole chain. */
function withOrder(p: Parser, chain: SetExpression): Expression {
  const last = lastOperand(p, chain);
  if (last.kind === 'SelectExpression' && !p.parenthesized.has(last)) {
    const { orderBy, limit, offset } = last;
    if (orderBy.length === 0 && limit === null && offset === null) return chain;
    const operand = replaceLast(p, chain, { ...last, orderBy: [], limit: null, offset: null });
    return { kind: 'OrderedChain', span: chain.span, operand, orderBy, limit, offset };
  }
  const order = parseOrderLimit(p);
  if (order.orderBy.length === 0 && order.limit === null && order.offset === null) return chain;
  return { kind: 'OrderedChain', span: p.spanFrom(chain), operand: chain, ...order };
}

function replaceLast(p: Parser, chain: SetExpression, last: Expression): SetExpression {
  const { right } = chain;
  return { ...chain, right: right.kind === 'SetExpression' && !p.parenthesized.has(right) ? replaceLast(p, right, last) : last };
}

/** `and { OR and }`: a loop, as for all binary operators, so that a long chain does not nest. The tree leans to the left. */
function parseOr(p: Parser): Expression {
  let left = parseAnd(p);
  for (let token = p.optionalWord('OR'); token !== null; token = p.optionalWord('OR'))
    left = binary(p, 'OR', token, { left, right: parseAnd(p) });
  return left;
}

/** `not { AND not }` */
function parseAnd(p: Parser): Expression {
  let left = parseNot(p);
  for (let token = p.optionalWord('AND'); token !== null; token = p.optionalWord('AND'))
    left = binary(p, 'AND', token, { left, right: parseNot(p) });
  return left;
}

/** `[NOT] comparison` */
function parseNot(p: Parser): Expression {
  const nots: Token[] = [];
  for (let token = p.optionalWord('NOT'); token !== null; token = p.optionalWord('NOT')) nots.push(token);
  return withSigns(p, nots, () => parseComparison(p));
}
