import type { Argument, CallExpression, Expression, OrderItem, TypeExpression } from '../ast.ts';
import { refuseBareSelect } from './bare-select.ts';
import { parseOrderBy } from './order-by.ts';
import type { Parser } from './parser.ts';
import { parsePrimary } from './primary.ts';
import { ignoringNulls, orderedSetCall, parseSubstringBounds, parseWithinGroup, positionCall } from './sql-forms.ts';
import { parseType } from './type.ts';
import { parseOver } from './window.ts';

/** `primary { (arguments) | .name | [index] | ::type | AT TIME ZONE zone }`; each adds a level to the tree, so they count as nesting. */
export function parsePostfix(p: Parser, primary = parsePrimary(p), mayHaveZone = true): Expression {
  let target = primary;
  for (let count = 0; ; count += 1) {
    p.checkDepth(count);
    if (p.isSymbol('(') && mayBeCalled(p, target)) target = parseCall(p, target);
    else if (p.optionalSymbol('.') !== null) {
      const field = p.expectLabel('a field name');
      target = { kind: 'FieldAccess', span: p.spanFrom(target), target, field };
    } else if (p.optionalSymbol('[') !== null) {
      const index = p.nested(true, () => p.parseExpression());
      p.expectSymbol(']');
      target = { kind: 'IndexAccess', span: p.spanFrom(target), target, index };
    } else if (p.optionalSymbol('::') !== null) {
      const type = parseType(p);
      target = { kind: 'CastExpression', span: p.spanFrom(target), isTry: false, operand: target, type };
    } else if (mayHaveZone && p.optionalWords('AT', 'TIME', 'ZONE')) {
      const zone = parsePostfix(p, parsePrimary(p), false);
      target = { kind: 'AtTimeZoneExpression', span: p.spanFrom(target), operand: target, zone };
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
  const inner = p.inBrackets(() => parseArguments(p, callee.kind === 'NameExpression' ? callee.name.text.toUpperCase() : null));
  if (inner.type !== null && callee.kind === 'NameExpression') {
    return {
      kind: 'TypedCallExpression',
      span: p.spanFrom(callee),
      callee: callee.name,
      arguments: inner.arguments,
      type: inner.type,
      typedArgument: inner.typedArgument,
    };
  }
  const within = inner.orderBy.length === 0 ? parseWithinGroup(p) : [];
  const filter = p.isWord('FILTER') && p.isSymbol('(', 1) && p.isWord('WHERE', 2) ? parseFilter(p) : null;
  const ignoresNulls = parseIgnoreNulls(p) || inner.ignoresNulls;
  const isWindow = p.isWord('OVER') && (p.isSymbol('(', 1) || p.isPlainName(1));
  const window = isWindow ? parseOver(p) : null;
  const call: CallExpression = {
    kind: 'CallExpression',
    span: p.spanFrom(callee),
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

/** `IGNORE NULLS`; `RESPECT NULLS`, which holds without it, changes nothing. */
function parseIgnoreNulls(p: Parser): boolean {
  return !p.optionalWords('RESPECT', 'NULLS') && p.optionalWords('IGNORE', 'NULLS');
}

/** `[DISTINCT | ALL] argument [AS type] {, argument} [ORDER BY …]`: at most one AS, and without DISTINCT and ORDER BY. */
function parseArguments(p: Parser, callee: string | null): Arguments {
  const isDistinct = p.optionalWord('DISTINCT') !== null;
  if (p.isWord('ALL') && p.peek(1).kind !== 'symbol') p.take();
  const args: Argument[] = [];
  let type: TypeExpression | null = null;
  let typedArgument = 0;
  if (!p.isSymbol(')')) {
    do {
      const argument = parseArgument(p);
      args.push(argument);
      refuseBareSelect(p, argument.value, args.length);
      if (callee === 'SUBSTRING' && args.length === 1) args.push(...parseSubstringBounds(p));
      if (callee !== null && !isDistinct && type === null && p.optionalWord('AS') !== null) {
        type = parseType(p);
        typedArgument = args.length - 1;
      }
    } while (p.optionalSymbol(',') !== null);
  }
  const ignoresNulls = parseIgnoreNulls(p);
  const orderBy = type === null && args.length > 0 && p.isWord('ORDER') ? parseOrderBy(p) : [];
  return { ignoresNulls, isDistinct, arguments: args, orderBy, type, typedArgument };
}

/** `[name :=] expression`, or `*`. */
function parseArgument(p: Parser): Argument {
  const start = p.peek();
  const name = p.optionalNameBefore(':=');
  const star = p.optionalSymbol('*');
  const value: Expression = star === null ? p.parseExpression() : { kind: 'StarExpression', span: star.span };
  const span = p.spanFrom(start);
  const brackets = p.parenthesized.get(value);
  const isWhole = brackets?.start === span.start && brackets.end === span.end;
  return { kind: 'Argument', span, bracketSpan: isWhole ? brackets : null, name, value };
}

/** `FILTER (WHERE e)` */
function parseFilter(p: Parser): Expression {
  p.index += 3;
  const filter = p.nested(true, () => p.parseExpression());
  p.expectSymbol(')');
  return filter;
}
