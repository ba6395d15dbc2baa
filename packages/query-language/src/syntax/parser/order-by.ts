import type { Expression, OrderItem } from '../ast.ts';
import type { Parser } from './parser.ts';

/** `[ORDER BY …] [LIMIT (e | ALL)] [OFFSET e [ROWS]] [FETCH FIRST e ROWS ONLY]` */
export function parseOrderLimit(p: Parser): {
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expression | null;
  readonly offset: Expression | null;
} {
  const orderBy = p.isWord('ORDER') ? parseOrderBy(p) : [];
  let limit: Expression | null = null;
  let offset: Expression | null = null;
  for (;;) {
    if (limit === null && p.optionalWords('LIMIT', 'ALL')) continue;
    if (limit === null && p.optionalWord('LIMIT') !== null) limit = p.parseExpression();
    else if (offset === null && p.optionalWord('OFFSET') !== null) offset = parseOffset(p);
    else if (limit === null && p.isWord('FETCH')) limit = parseFetch(p);
    else return { orderBy, limit, offset };
  }
}

function parseOffset(p: Parser): Expression {
  const offset = p.parseExpression();
  if (p.optionalWord('ROWS') === null) p.optionalWord('ROW');
  return offset;
}

/** `ORDER BY item {, item}` */
export function parseOrderBy(p: Parser): readonly OrderItem[] {
  p.expectWord('ORDER');
  p.expectWord('BY');
  return p.many(parseOrderItem);
}

/** `e [ASC | DESC] [NULLS FIRST | NULLS LAST]` */
function parseOrderItem(p: Parser): OrderItem {
  const start = p.peek();
  const value = p.parseExpression();
  const isDescending = p.optionalWord('DESC') !== null;
  if (!isDescending) p.optionalWord('ASC');
  let nulls: OrderItem['nulls'] = null;
  if (p.optionalWord('NULLS') !== null)
    nulls = p.optionalWord('FIRST') !== null ? 'first' : p.optionalWord('LAST') !== null ? 'last' : p.unexpected('FIRST or LAST');
  return { kind: 'OrderItem', span: p.spanFrom(start), value, isDescending, nulls };
}

/** `FETCH (FIRST | NEXT) [n] (ROW | ROWS) ONLY`, parsed as LIMIT; null for other tokens. */
function parseFetch(p: Parser): Expression | null {
  if (!p.isWord('FETCH')) return null;
  p.take();
  const first = p.optionalWord('FIRST') ?? p.optionalWord('NEXT') ?? p.expectWord('FIRST');
  const isOne = p.isWord('ROW') || p.isWord('ROWS');
  const count: Expression = isOne ? { kind: 'NumberLiteral', span: first.span, type: 'int', text: '1' } : p.parseExpression();
  if (p.optionalWord('ROW') === null) p.expectWord('ROWS');
  p.expectWord('ONLY');
  return count;
}
