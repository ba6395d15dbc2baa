import { spanning } from '../../text/span.ts';
import type { Expression, UnaryExpression } from '../ast.ts';
import { isValueOperator, LEVEL, VALUE_LEVELS } from '../operators.ts';
import type { Token } from '../token.ts';
import { binary } from './binary.ts';
import type { Parser } from './parser.ts';
import { parsePostfix } from './postfix.ts';
import { parseRecord } from './record.ts';

/** `append { INTO (…) | EXCLUDE (…) | PARSE AS regex [failure] }`; `first` is its first operand if that has been read already. */
export function parseClauses(p: Parser, first?: Expression): Expression {
  let operand = parseBinary(p, LEVEL.append, first);
  for (let count = 0; ; count += 1) {
    p.checkDepth(count);
    if (p.optionalWord('INTO') !== null) {
      const record = parseRecord(p);
      operand = { kind: 'IntoExpression', span: p.spanFrom(operand), operand, record };
    } else if (p.isSymbol('(', 1) && p.optionalWord('EXCLUDE') !== null) {
      const names = p.namesInBrackets();
      operand = { kind: 'ExcludeExpression', span: p.spanFrom(operand), operand, names };
    } else if (p.optionalWords('PARSE', 'AS')) operand = parseParseAs(p, operand);
    else return operand;
  }
}

/** `regex [SKIP ON FAIL | NULL ON FAIL | ERROR ON FAIL | (e) ON FAIL | literal ON FAIL]` */
function parseParseAs(p: Parser, operand: Expression): Expression {
  const regex = parsePostfix(p);
  const parse = { kind: 'ParseAsExpression', operand, regex } as const;
  const isFailure = (ahead: number): boolean => p.isWord('ON', ahead) && p.isWord('FAIL', ahead + 1);
  for (const [word, onFail] of [
    ['SKIP', 'skip'],
    ['NULL', 'null'],
    ['ERROR', 'error'],
  ] as const) {
    if (p.optionalWords(word, 'ON', 'FAIL')) return { ...parse, span: p.spanFrom(operand), onFail, failValue: null };
  }
  const isTwoTokens = p.isSymbol('-') || p.peek(1).kind === 'string';
  const mayBeValue = p.isSymbol('(') || isFailure(1) || (isTwoTokens && isFailure(2));
  if (!mayBeValue) return { ...parse, span: p.spanFrom(operand), onFail: 'null', failValue: null };
  const failValue = parseUnary(p);
  p.expectWord('ON');
  p.expectWord('FAIL');
  return { ...parse, span: p.spanFrom(operand), onFail: 'value', failValue };
}

/** `operand { operator operand }` with operators of at least this level; `first` is the first operand if that has been read already. */
function parseBinary(p: Parser, level: number, first?: Expression): Expression {
  let left = first ?? parseUnary(p);
  for (;;) {
    const token = p.peek();
    if (token.kind !== 'symbol' || !isValueOperator(token.text) || VALUE_LEVELS[token.text] < level) return left;
    p.take();
    left = binary(p, token.text, token, { left, right: parseBinary(p, VALUE_LEVELS[token.text] + 1) });
  }
}

/** `sum { (++ | +++) sum }`, where `sum` is `product { (+ | - | ||) product }` and `product` is `unary { (* | / | %) unary }` */
export function parseAppend(p: Parser): Expression {
  return parseBinary(p, LEVEL.append);
}

/** `{ - | + } postfix`; a minus right before a number belongs to it. */
function parseUnary(p: Parser): Expression {
  const signs: Token[] = [];
  while ((p.isSymbol('-') && p.peek(1).kind !== 'number') || p.isSymbol('+')) signs.push(p.take());
  return withSigns(p, signs, () => parsePostfix(p));
}

/** Parses an operand after signs or NOTs, the last of which is the innermost. Each adds a level to the tree, so they count as nesting. */
export function withSigns(p: Parser, signs: readonly Token[], read: () => Expression): Expression {
  if (signs.length === 0) return read();
  p.checkDepth(signs.length);
  p.depth += signs.length;
  let operand = read();
  p.depth -= signs.length;
  for (const token of [...signs].reverse()) {
    const operator = token.text.toUpperCase() as UnaryExpression['operator']; // the caller collects only these
    operand = { kind: 'UnaryExpression', span: spanning(token.span, p.outerSpan(operand)), operator, operand };
  }
  return operand;
}
