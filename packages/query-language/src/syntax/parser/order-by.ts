import type { Expression, OrderItem } from '../ast.ts';
import type { Parser } from './parser.ts';
import { expectWord, isWord, many, optionalWord, peek, spanFrom, take, unexpected } from './token-reader.ts';

/** `[ORDER BY …] [LIMIT e] [OFFSET e [ROWS]] [FETCH FIRST e ROWS ONLY]` */
export function parseOrderLimit(p: Parser): {
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expression | null;
  readonly offset: Expression | null;
} {
  const orderBy = isWord(peek(p), 'ORDER') ? parseOrderBy(p) : [];
  let limit: Expression | null = null;
  let offset: Expression | null = null;
  for (;;) {
    if (limit === null && optionalWord(p, 'LIMIT') !== null) limit = p.parseExpression();
    else if (offset === null && optionalWord(p, 'OFFSET') !== null) offset = parseOffset(p);
    else if (limit === null && isWord(peek(p), 'FETCH')) limit = parseFetch(p);
    else return { orderBy, limit, offset };
  }
}

function parseOffset(p: Parser): Expression {
  const offset = p.parseExpression();
  if (optionalWord(p, 'ROWS') === null) optionalWord(p, 'ROW');
  return offset;
}

/** `ORDER BY item {, item}` */
export function parseOrderBy(p: Parser): readonly OrderItem[] {
  expectWord(p, 'ORDER');
  expectWord(p, 'BY');
  return many(p, () => parseOrderItem(p));
}

/** `e [ASC | DESC] [NULLS FIRST | NULLS LAST]` */
function parseOrderItem(p: Parser): OrderItem {
  const start = peek(p);
  const value = p.parseExpression();
  const isDescending = optionalWord(p, 'DESC') !== null;
  if (!isDescending) optionalWord(p, 'ASC');
  let nulls: OrderItem['nulls'] = null;
  if (optionalWord(p, 'NULLS') !== null)
    nulls = optionalWord(p, 'FIRST') !== null ? 'first' : optionalWord(p, 'LAST') !== null ? 'last' : unexpected(p, 'FIRST or LAST');
  return { kind: 'OrderItem', span: spanFrom(p, start), value, isDescending, nulls };
}

/** `FETCH (FIRST | NEXT) [n] (ROW | ROWS) ONLY`, parsed as LIMIT; null for other tokens. */
function parseFetch(p: Parser): Expression | null {
  if (!isWord(peek(p), 'FETCH')) return null;
  take(p);
  const first = optionalWord(p, 'FIRST') ?? optionalWord(p, 'NEXT') ?? expectWord(p, 'FIRST');
  const isOne = isWord(peek(p), 'ROW') || isWord(peek(p), 'ROWS');
  const count: Expression = isOne ? { kind: 'NumberLiteral', span: first.span, type: 'int', text: '1' } : p.parseExpression();
  if (optionalWord(p, 'ROW') === null) expectWord(p, 'ROWS');
  expectWord(p, 'ONLY');
  return count;
}
