import { ownValue } from '../../own-value.ts';
import type { ComparisonSign, Expression } from '../ast.ts';
import { between, binary } from './binary.ts';
import { parseClauses } from './clauses.ts';
import type { Parser } from './parser.ts';
import { parsePostfix } from './postfix.ts';
import { parseRecord } from './record.ts';
import { expectWord, isSymbol, isWord, optionalWord, peek, spanFrom, take, unexpected } from './token-reader.ts';

const COMPARISONS: Readonly<Record<ComparisonSign | '==' | '!=', ComparisonSign>> = {
  '=': '=',
  '==': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

/** `clause [comparison clause | [NOT] IN … | [NOT] [I]LIKE … | [NOT] BETWEEN … | IS …]`: no chains. */
export function parseComparison(p: Parser): Expression {
  const left = parseClauses(p);
  // A comparison at the end of a SELECT, IF or lambda on the left is no operand either, although it ends at the same token.
  if (p.index === p.comparedTo) return left;
  const compared = compare(p, left);
  if (compared !== left) p.comparedTo = p.index;
  return compared;
}

function compare(p: Parser, left: Expression): Expression {
  const token = peek(p);
  const operator = token.kind === 'symbol' ? ownValue<ComparisonSign>(COMPARISONS, token.text) : undefined;
  if (operator !== undefined) {
    take(p);
    return binary(p, operator, token, { left, right: parseClauses(p) });
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
  return { kind: 'BetweenExpression', span: between(p, left, high), isNegated, operand: left, low, high };
}

/** `IS [NOT] NULL`, `IS [NOT] DISTINCT FROM clause`, or `IS [NOT] TRUE | FALSE`, which is whether they are not distinct. */
function parseIs(p: Parser, operand: Expression): Expression {
  expectWord(p, 'IS');
  const isNegated = optionalWord(p, 'NOT') !== null;
  if (optionalWord(p, 'DISTINCT') !== null) {
    expectWord(p, 'FROM');
    const right = parseClauses(p);
    return { kind: 'IsDistinctExpression', span: between(p, operand, right), isNegated, left: operand, right };
  }
  if (isWord(peek(p), 'TRUE') || isWord(peek(p), 'FALSE')) {
    const token = take(p);
    const right: Expression = { kind: 'BooleanLiteral', span: token.span, value: isWord(token, 'TRUE') };
    return { kind: 'IsDistinctExpression', span: spanFrom(p, operand), isNegated: !isNegated, left: operand, right };
  }
  if (optionalWord(p, 'NULL') === null)
    unexpected(p, isNegated ? 'NULL, TRUE, FALSE or DISTINCT FROM' : 'NULL, NOT, TRUE, FALSE or DISTINCT FROM');
  return { kind: 'IsNullExpression', span: spanFrom(p, operand), isNegated, operand };
}

/** `IN (e {, e})` is a list; otherwise a collection follows, which may start with parentheses: `IN (a).b`, `IN (a) ++ c`. */
function parseIn(p: Parser, operand: Expression, isNegated: boolean): Expression {
  if (!isSymbol(peek(p), '(') || ['SELECT', 'WITH', 'VALUES'].some((word) => isWord(peek(p, 1), word)))
    return isIn(p, operand, isNegated, parseClauses(p));
  if (isSymbol(peek(p, 1), ')')) {
    take(p);
    unexpected(p, 'an expression');
  }
  const record = parseRecord(p);
  const isList = record.fields.every((field) => field.name === null);
  const only = isList && record.fields.length === 1 ? record.fields[0]?.value : undefined;
  if (only !== undefined) p.parenthesized.set(only, record.span);
  const first = only ?? record;
  const right = parseClauses(p, parsePostfix(p, first));
  if (!isList || right !== first) return isIn(p, operand, isNegated, right);
  return {
    kind: 'InExpression',
    span: spanFrom(p, operand),
    isNegated,
    operand,
    right: null,
    list: record.fields.map((field) => field.value),
  };
}

function isIn(p: Parser, operand: Expression, isNegated: boolean, right: Expression): Expression {
  return { kind: 'InExpression', span: between(p, operand, right), isNegated, operand, right, list: null };
}

/** `[I]LIKE clause [ESCAPE clause]` */
function parseLike(p: Parser, operand: Expression, isNegated: boolean): Expression {
  const isCaseInsensitive = isWord(take(p), 'ILIKE');
  const pattern = parseClauses(p);
  const escape = optionalWord(p, 'ESCAPE') === null ? null : parseClauses(p);
  return { kind: 'LikeExpression', span: spanFrom(p, operand), isNegated, isCaseInsensitive, operand, pattern, escape };
}
