import { ownValue } from '../../own-value.ts';
import type { ComparisonSign, Expression } from '../ast.ts';
import { COMPARISONS } from '../operators.ts';
import { syntaxFault } from '../syntax-error.ts';
import { between, binary } from './binary.ts';
import { parseClauses } from './clauses.ts';
import type { Parser } from './parser.ts';
import { parsePostfix } from './postfix.ts';
import { parseRecord } from './record.ts';

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
  const token = p.peek();
  const operator = token.kind === 'symbol' ? ownValue<ComparisonSign>(COMPARISONS, token.text) : undefined;
  if (operator !== undefined) return binary(p, operator, p.take(), { left, right: parseClauses(p) });
  if (p.optionalWord('IS') !== null) return parseIs(p, left);
  const isNegated = p.isWord('NOT') && ['IN', 'LIKE', 'ILIKE', 'BETWEEN'].some((word) => p.isWord(word, 1));
  if (isNegated) p.take();
  if (p.optionalWord('IN') !== null) return parseIn(p, left, isNegated);
  if (p.isWord('LIKE') || p.isWord('ILIKE')) return parseLike(p, left, isNegated);
  if (p.optionalWord('BETWEEN') === null) return left;
  const low = parseClauses(p);
  p.expectWord('AND');
  const high = parseClauses(p);
  return { kind: 'BetweenExpression', span: between(p, left, high), isNegated, operand: left, low, high };
}

/** `[NOT] NULL | UNKNOWN`, `[NOT] DISTINCT FROM clause`, or `[NOT] TRUE | FALSE`, which means not distinct from it. */
function parseIs(p: Parser, operand: Expression): Expression {
  const isNegated = p.optionalWord('NOT') !== null;
  if (p.optionalWord('DISTINCT') !== null) {
    p.expectWord('FROM');
    const right = parseClauses(p);
    return { kind: 'IsDistinctExpression', span: between(p, operand, right), isNegated, left: operand, right };
  }
  const token = p.optionalWord('TRUE') ?? p.optionalWord('FALSE');
  if (token !== null) {
    const right: Expression = { kind: 'BooleanLiteral', span: token.span, value: token.keyword === 'TRUE' };
    return { kind: 'IsDistinctExpression', span: p.spanFrom(operand), isNegated: !isNegated, left: operand, right };
  }
  if (p.optionalWord('NULL') === null && p.optionalWord('UNKNOWN') === null)
    p.unexpected(isNegated ? 'NULL, TRUE, FALSE or DISTINCT FROM' : 'NULL, NOT, TRUE, FALSE or DISTINCT FROM');
  return { kind: 'IsNullExpression', span: p.spanFrom(operand), isNegated, operand };
}

/** `IN (e {, e})` is a list; otherwise a collection follows, which may start with parentheses: `IN (a).b`, `IN (a) ++ c`. */
function parseIn(p: Parser, operand: Expression, isNegated: boolean): Expression {
  if (!p.isSymbol('(') || ['SELECT', 'WITH', 'VALUES'].some((word) => p.isWord(word, 1)))
    return isIn(p, operand, isNegated, parseClauses(p));
  if (p.isSymbol(')', 1)) {
    p.take();
    p.unexpected('an expression');
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
    span: p.spanFrom(operand),
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
  const like = p.take();
  const isCaseInsensitive = like.keyword === 'ILIKE';
  const quantifier = p.peek();
  if (p.isSymbol('(', 1) && ['ANY', 'SOME', 'ALL'].includes(quantifier.keyword))
    syntaxFault(
      'unsupported-construct',
      quantifier.span,
      `${like.text} ${quantifier.text}`,
      'write x LIKE "a%" OR x LIKE "b%", or AND for ALL',
    );
  const pattern = parseClauses(p);
  const escape = p.optionalWord('ESCAPE') === null ? null : parseClauses(p);
  return { kind: 'LikeExpression', span: p.spanFrom(operand), isNegated, isCaseInsensitive, operand, pattern, escape };
}
