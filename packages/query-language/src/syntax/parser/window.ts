import type { Expression, FrameBound, Window } from '../ast.ts';
import type { Token } from '../token.ts';
import { parseOrderBy } from './order-by.ts';
import type { Parser } from './parser.ts';
import {
  expectSymbol,
  expectWord,
  isPlainName,
  isSymbol,
  isWord,
  many,
  nested,
  optionalWord,
  peek,
  spanFrom,
  take,
  toName,
  unexpected,
} from './token-reader.ts';

/** `OVER (…)`, or `OVER name`. */
export function parseOver(p: Parser): Window {
  const start = take(p);
  if (isSymbol(peek(p), '(')) return parseWindow(p, start);
  const base = toName(take(p));
  return { kind: 'Window', span: spanFrom(p, start), base, partitionBy: [], orderBy: [], frame: null };
}

/** Keywords that start a part of a window, and therefore cannot name one. */
const PARTS_OF_WINDOW: ReadonlySet<string> = new Set(['PARTITION', 'ORDER', 'ROWS', 'RANGE', 'GROUPS']);

/** `([name] [PARTITION BY …] [ORDER BY …] [(ROWS | RANGE) BETWEEN … AND …])` */
export function parseWindow(p: Parser, start: Token): Window {
  expectSymbol(p, '(');
  return nested(p, true, () => {
    const base = isPlainName(peek(p)) && !PARTS_OF_WINDOW.has(peek(p).keyword) ? toName(take(p)) : null;
    let partitionBy: readonly Expression[] = [];
    if (optionalWord(p, 'PARTITION') !== null) {
      expectWord(p, 'BY');
      partitionBy = many(p, () => p.parseExpression());
    }
    const orderBy = isWord(peek(p), 'ORDER') ? parseOrderBy(p) : [];
    const frame = isWord(peek(p), 'ROWS') || isWord(peek(p), 'RANGE') ? parseFrame(p) : null;
    expectSymbol(p, ')');
    return { kind: 'Window', span: spanFrom(p, start), base, partitionBy, orderBy, frame };
  });
}

function parseFrame(p: Parser): Window['frame'] {
  const start = take(p);
  const unit = isWord(start, 'RANGE') ? 'range' : 'rows';
  if (optionalWord(p, 'BETWEEN') === null) {
    const bound = parseBound(p);
    const current = { kind: 'FrameBound', span: bound.span, type: 'current-row', offset: null } as const;
    return { kind: 'WindowFrame', span: spanFrom(p, start), unit, start: bound, end: current };
  }
  const from = parseBound(p);
  expectWord(p, 'AND');
  const to = parseBound(p);
  return { kind: 'WindowFrame', span: spanFrom(p, start), unit, start: from, end: to };
}

/** `UNBOUNDED (PRECEDING | FOLLOWING) | CURRENT ROW | e (PRECEDING | FOLLOWING)` */
function parseBound(p: Parser): FrameBound {
  const start = peek(p);
  if (isWord(start, 'CURRENT')) {
    take(p);
    expectWord(p, 'ROW');
    return { kind: 'FrameBound', span: spanFrom(p, start), type: 'current-row', offset: null };
  }
  const isUnbounded = optionalWord(p, 'UNBOUNDED') !== null;
  const offset = isUnbounded ? null : p.parseAppend();
  const direction =
    optionalWord(p, 'PRECEDING') !== null
      ? 'preceding'
      : optionalWord(p, 'FOLLOWING') !== null
        ? 'following'
        : unexpected(p, 'PRECEDING or FOLLOWING');
  return { kind: 'FrameBound', span: spanFrom(p, start), type: isUnbounded ? `unbounded-${direction}` : direction, offset };
}
