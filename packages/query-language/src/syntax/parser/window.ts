import type { Expression, FrameBound, Window } from '../ast.ts';
import type { Token } from '../token.ts';
import { parseOrderBy } from './order-by.ts';
import type { Parser } from './parser.ts';
import { toName } from './parser.ts';

/** `OVER (…)`, or `OVER name`. */
export function parseOver(p: Parser): Window {
  const start = p.take();
  if (p.isSymbol('(')) return parseWindow(p, start);
  const base = toName(p.take());
  return { kind: 'Window', span: p.spanFrom(start), base, partitionBy: [], orderBy: [], frame: null };
}

/** Keywords that start a part of a window, and therefore cannot name one. */
const PARTS_OF_WINDOW: ReadonlySet<string> = new Set(['PARTITION', 'ORDER', 'ROWS', 'RANGE', 'GROUPS']);

/** `([name] [PARTITION BY …] [ORDER BY …] [(ROWS | RANGE) BETWEEN … AND …])` */
export function parseWindow(p: Parser, start: Token): Window {
  const parts = p.inBrackets(() => {
    const base = p.isPlainName() && !PARTS_OF_WINDOW.has(p.peek().keyword) ? toName(p.take()) : null;
    let partitionBy: readonly Expression[] = [];
    if (p.optionalWord('PARTITION') !== null) {
      p.expectWord('BY');
      partitionBy = p.many(() => p.parseExpression());
    }
    const orderBy = p.isWord('ORDER') ? parseOrderBy(p) : [];
    const frame = p.isWord('ROWS') || p.isWord('RANGE') ? parseFrame(p) : null;
    return { base, partitionBy, orderBy, frame };
  });
  return { kind: 'Window', span: p.spanFrom(start), ...parts };
}

function parseFrame(p: Parser): Window['frame'] {
  const start = p.take();
  const unit = start.keyword === 'RANGE' ? 'range' : 'rows';
  const hasEnd = p.optionalWord('BETWEEN') !== null;
  const from = parseBound(p);
  if (hasEnd) p.expectWord('AND');
  const to: FrameBound = hasEnd ? parseBound(p) : { kind: 'FrameBound', span: from.span, type: 'current-row', offset: null };
  return { kind: 'WindowFrame', span: p.spanFrom(start), unit, start: from, end: to };
}

/** `UNBOUNDED (PRECEDING | FOLLOWING) | CURRENT ROW | e (PRECEDING | FOLLOWING)` */
function parseBound(p: Parser): FrameBound {
  const start = p.peek();
  if (p.optionalWord('CURRENT') !== null) {
    p.expectWord('ROW');
    return { kind: 'FrameBound', span: p.spanFrom(start), type: 'current-row', offset: null };
  }
  const isUnbounded = p.optionalWord('UNBOUNDED') !== null;
  const offset = isUnbounded ? null : p.parseAppend();
  const direction =
    p.optionalWord('PRECEDING') !== null
      ? 'preceding'
      : p.optionalWord('FOLLOWING') !== null
        ? 'following'
        : p.unexpected('PRECEDING or FOLLOWING');
  return { kind: 'FrameBound', span: p.spanFrom(start), type: isUnbounded ? `unbounded-${direction}` : direction, offset };
}
