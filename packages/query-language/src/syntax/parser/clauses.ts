import { spanning } from '../../text/span.ts';
import type { Expression, UnaryExpression, ValueOperator } from '../ast.ts';
import type { Token } from '../token.ts';
import { binary } from './binary.ts';
import type { Parser } from './parser.ts';
import { parsePostfix } from './postfix.ts';
import { parseRecord } from './record.ts';
import {
  checkDepth,
  expectName,
  expectSymbol,
  expectWord,
  isSymbol,
  isWord,
  many,
  outerSpan,
  peek,
  spanFrom,
  take,
} from './token-reader.ts';

/** `append { INTO (…) | EXCLUDE (…) | PARSE AS regex [failure] }`; `first` is its first operand if that has been read already. */
export function parseClauses(p: Parser, first?: Expression): Expression {
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
function parseParseAs(p: Parser, operand: Expression): Expression {
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
function parseBinary(p: Parser, level: number, first?: Expression): Expression {
  let left = first ?? parseUnary(p);
  for (;;) {
    const token = peek(p);
    if (token.kind !== 'symbol' || !isValueOperator(token.text) || LEVELS[token.text] < level) return left;
    take(p);
    left = binary(p, token.text, token, { left, right: parseBinary(p, LEVELS[token.text] + 1) });
  }
}

/** `sum { (++ | +++) sum }`, where `sum` is `product { (+ | - | ||) product }` and `product` is `unary { (* | / | %) unary }` */
export function parseAppend(p: Parser): Expression {
  return parseBinary(p, APPEND);
}

/** `{ - | + } postfix`; a minus right before a number belongs to it. */
function parseUnary(p: Parser): Expression {
  const signs: Token[] = [];
  while ((isSymbol(peek(p), '-') && peek(p, 1).kind !== 'number') || isSymbol(peek(p), '+')) signs.push(take(p));
  return withSigns(p, signs, () => parsePostfix(p));
}

/** Parses an operand after signs or NOTs, the last of which is the innermost. Each adds a level to the tree, so they count as nesting. */
export function withSigns(p: Parser, signs: readonly Token[], read: () => Expression): Expression {
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
