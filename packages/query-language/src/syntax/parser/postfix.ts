import type { Argument, CallExpression, Expression, OrderItem, TypeExpression } from '../ast.ts';
import { refuseBareSelect } from './bare-select.ts';
import { parseOrderBy } from './order-by.ts';
import type { Parser } from './parser.ts';
import { parsePrimary } from './primary.ts';
import { ignoringNulls, optionalIgnoreNulls, orderedSetCall, parseSubstringBounds, parseWithinGroup, positionCall } from './sql-forms.ts';
import {
  checkDepth,
  expectLabel,
  expectSymbol,
  isPlainName,
  isSymbol,
  isWord,
  nested,
  optionalSymbol,
  optionalWord,
  peek,
  spanFrom,
  take,
  toName,
} from './token-reader.ts';
import { parseType } from './type.ts';
import { parseOver } from './window.ts';

/** `primary { (arguments) | .name | [index] | ::type | AT TIME ZONE zone }`; each adds a level to the tree, so they count as nesting. */
export function parsePostfix(p: Parser, primary = parsePrimary(p), mayHaveZone = true): Expression {
  let target = primary;
  for (let count = 0; ; count += 1) {
    checkDepth(p, count);
    const token = peek(p);
    if (isSymbol(token, '(') && mayBeCalled(p, target)) target = parseCall(p, target);
    else if (isSymbol(token, '.')) {
      take(p);
      const field = expectLabel(p, 'a field name');
      target = { kind: 'FieldAccess', span: spanFrom(p, target), target, field };
    } else if (isSymbol(token, '[')) {
      take(p);
      const index = nested(p, true, () => p.parseExpression());
      expectSymbol(p, ']');
      target = { kind: 'IndexAccess', span: spanFrom(p, target), target, index };
    } else if (isSymbol(token, '::')) {
      take(p);
      const type = parseType(p);
      target = { kind: 'CastExpression', span: spanFrom(p, target), isTry: false, operand: target, type };
    } else if (mayHaveZone && isWord(token, 'AT') && isWord(peek(p, 1), 'TIME') && isWord(peek(p, 2), 'ZONE')) {
      p.index += 3;
      const zone = parsePostfix(p, parsePrimary(p), false);
      target = { kind: 'AtTimeZoneExpression', span: spanFrom(p, target), operand: target, zone };
    } else return target;
  }
}

/**
 * Expressions that extend as far to the right as possible, so parentheses after them are part of them; a regex may be
 * followed by a value for failures.
 */
const NEVER_CALLED: ReadonlySet<Expression['kind']> = new Set(['SelectExpression', 'IfExpression', 'LambdaExpression', 'RegexLiteral']);

/** Returns whether parentheses after an expression are a call. The check reports an expression that is not a function. */
function mayBeCalled(p: Parser, target: Expression): boolean {
  return !NEVER_CALLED.has(target.kind) || p.parenthesized.has(target);
}

/** `callee ( [DISTINCT] arguments [ORDER BY …] ) [FILTER (WHERE e)] [OVER (…)]` */
function parseCall(p: Parser, callee: Expression): Expression {
  expectSymbol(p, '(');
  const inner = nested(p, true, () => parseArguments(p, callee.kind === 'NameExpression' ? callee.name.text.toUpperCase() : null));
  expectSymbol(p, ')');
  if (inner.type !== null && callee.kind === 'NameExpression') {
    return {
      kind: 'TypedCallExpression',
      span: spanFrom(p, callee),
      callee: callee.name,
      arguments: inner.arguments,
      type: inner.type,
      typedArgument: inner.typedArgument,
    };
  }
  const within = inner.orderBy.length === 0 ? parseWithinGroup(p) : [];
  const filter = isWord(peek(p), 'FILTER') && isSymbol(peek(p, 1), '(') && isWord(peek(p, 2), 'WHERE') ? parseFilter(p) : null;
  const ignoresNulls = inner.ignoresNulls || optionalIgnoreNulls(p);
  const isWindow = isWord(peek(p), 'OVER') && (isSymbol(peek(p, 1), '(') || isPlainName(peek(p, 1)));
  const window = isWindow ? parseOver(p) : null;
  const call: CallExpression = {
    kind: 'CallExpression',
    span: spanFrom(p, callee),
    callee,
    arguments: inner.arguments,
    isDistinct: inner.isDistinct,
    orderBy: inner.orderBy,
    filter,
    ignoresNulls,
    window,
  };
  const ordered = within.length === 0 ? positionCall(call) : orderedSetCall(call, within);
  return ignoringNulls(ordered);
}

interface Arguments {
  readonly ignoresNulls: boolean;
  readonly isDistinct: boolean;
  readonly arguments: readonly Argument[];
  readonly orderBy: readonly OrderItem[];
  readonly type: TypeExpression | null;
  readonly typedArgument: number;
}

/** `[DISTINCT] argument [AS type] {, argument} [ORDER BY …]`: at most one AS, and without DISTINCT and ORDER BY. */
function parseArguments(p: Parser, callee: string | null): Arguments {
  const isDistinct = optionalWord(p, 'DISTINCT') !== null;
  const args: Argument[] = [];
  let type: TypeExpression | null = null;
  let typedArgument = 0;
  if (!isSymbol(peek(p), ')')) {
    do {
      const argument = parseArgument(p);
      args.push(argument);
      refuseBareSelect(p, argument.value, args.length);
      if (callee === 'SUBSTRING' && args.length === 1) args.push(...parseSubstringBounds(p));
      if (callee !== null && !isDistinct && type === null && isWord(peek(p), 'AS')) {
        take(p);
        type = parseType(p);
        typedArgument = args.length - 1;
      }
    } while (optionalSymbol(p, ',') !== null);
  }
  const ignoresNulls = optionalIgnoreNulls(p);
  const orderBy = type === null && args.length > 0 && isWord(peek(p), 'ORDER') ? parseOrderBy(p) : [];
  return { ignoresNulls, isDistinct, arguments: args, orderBy, type, typedArgument };
}

/** `[name :=] expression`, or `*`. */
function parseArgument(p: Parser): Argument {
  const start = peek(p);
  const isNamed = (start.kind === 'word' || start.kind === 'quoted') && isSymbol(peek(p, 1), ':=');
  const name = isNamed ? toName(take(p)) : null;
  if (isNamed) take(p);
  const value = parseStar(p) ?? p.parseExpression();
  const span = spanFrom(p, start);
  const brackets = p.parenthesized.get(value);
  const isWhole = brackets?.start === span.start && brackets.end === span.end;
  return { kind: 'Argument', span, bracketSpan: isWhole ? brackets : null, name, value };
}

/** `*` as a whole argument: before `)`, `,` or ORDER. */
function parseStar(p: Parser): Expression | null {
  if (!isSymbol(peek(p), '*')) return null;
  const token = take(p);
  return { kind: 'StarExpression', span: token.span };
}

/** `FILTER (WHERE e)` */
function parseFilter(p: Parser): Expression {
  p.index += 3;
  const filter = nested(p, true, () => p.parseExpression());
  expectSymbol(p, ')');
  return filter;
}
