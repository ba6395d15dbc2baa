/** Forms that SQL writes with words among the arguments, read as the calls that they mean. */
import { ownValue } from '../../own-value.ts';
import type { Span } from '../../text/span.ts';
import { spanning } from '../../text/span.ts';
import type { Argument, CallExpression, Expression, Name, OrderItem, RecordField, TemporalLiteral } from '../ast.ts';
import { syntaxFault } from '../syntax-error.ts';
import type { Token } from '../token.ts';
import { describeToken } from '../token.ts';
import { parseOrderBy } from './order-by.ts';
import type { Parser } from './parser.ts';

/** Fields of EXTRACT, and the function of each. */
const PARTS_OF_TIME: Readonly<Record<string, string>> = {
  YEAR: 'YEAR',
  QUARTER: 'QUARTER',
  MONTH: 'MONTH',
  WEEK: 'WEEK',
  DAY: 'DAY',
  HOUR: 'HOUR',
  MINUTE: 'MINUTE',
  SECOND: 'SECOND',
  ISODOW: 'DAY_OF_WEEK',
  DOY: 'DAY_OF_YEAR',
  EPOCH: 'TO_EPOCH',
};

/** Fields of EXTRACT in other systems that count the days of the week from Sunday. */
const SUNDAY_FIRST: ReadonlySet<string> = new Set(['DOW', 'DAYOFWEEK', 'WEEKDAY']);

/** Returns the function of a field of EXTRACT; null if there is none. */
export function functionOfPart(part: string): string | null {
  return ownValue(PARTS_OF_TIME, part.toUpperCase()) ?? null;
}

/** The names of the parts, for a message. */
export const PART_NAMES: string = Object.keys(PARTS_OF_TIME).join(', ').toLowerCase();

/** `EXTRACT(part FROM e)`, parsed as `PART(e)`; null for other tokens. */
export function parseExtract(p: Parser): Expression | null {
  if (!p.isWord('EXTRACT') || !p.isSymbol('(', 1) || !p.isWord('FROM', 3)) return null;
  const start = p.take();
  const part = p.peek(1);
  p.index += 3;
  const called = functionOfPart(part.value);
  if (called === null && SUNDAY_FIRST.has(part.value.toUpperCase()))
    syntaxFault('unsupported-construct', part.span, part.text, 'write DAY_OF_WEEK(t) % 7, which is 0 on Sundays');
  if (called === null) syntaxFault('unexpected-token', part.span, describeToken(part), `one of ${PART_NAMES}`);
  const value = p.nested(true, () => p.parseExpression());
  p.expectSymbol(')');
  return callOf(called, part.span, [argumentOf(value)], p.spanFrom(start));
}

/** `[FROM start] [FOR length])` behind the first argument of SUBSTRING: the other arguments. */
export function parseSubstringBounds(p: Parser): readonly Argument[] {
  if (!p.isWord('FROM') && !p.isWord('FOR')) return [];
  const from: Expression =
    p.optionalWord('FROM') === null ? { kind: 'NumberLiteral', span: p.peek().span, type: 'int', text: '1' } : p.parseExpression();
  const length = p.optionalWord('FOR') === null ? [] : [p.parseExpression()];
  return [from, ...length].map(argumentOf);
}

/** Converts `POSITION(substring IN text)` to `CHARINDEX(substring, text)`; returns other calls unchanged. */
export function positionCall(call: CallExpression): CallExpression {
  const [only, another] = call.arguments;
  if (
    calledName(call) !== 'POSITION' ||
    only?.value.kind !== 'InExpression' ||
    only.name !== null ||
    another !== undefined ||
    only.value.isNegated
  )
    return call;
  const { operand, right, list } = only.value;
  const text = right ?? (list?.length === 1 ? list[0] : undefined);
  if (text === undefined) return call;
  return renamedCall(call, 'CHARINDEX', [operand, text].map(argumentOf));
}

/** `WITHIN GROUP (ORDER BY …)` after an aggregate; empty if absent. */
export function parseWithinGroup(p: Parser): readonly OrderItem[] {
  return p.optionalWords('WITHIN', 'GROUP') ? p.inBrackets(() => parseOrderBy(p)) : [];
}

/** `PERCENTILE_CONT(f) WITHIN GROUP (ORDER BY x)` as `QUANTILE(x, f)`; of other aggregates it is the order of their values. */
export function orderedSetCall(call: CallExpression, orderBy: readonly OrderItem[]): CallExpression {
  if (calledName(call) !== 'PERCENTILE_CONT') return { ...call, orderBy };
  const [key, another] = orderBy;
  if (key === undefined || another !== undefined || key.isDescending)
    return syntaxFault('unexpected-token', (another ?? key ?? call).span, 'this order', 'ORDER BY of one value, ascending');
  return renamedCall(call, 'QUANTILE', [argumentOf(key.value), ...call.arguments]);
}

/** Aggregates equivalent to a window function with IGNORE NULLS. */
const IGNORING_NULLS: Readonly<Record<string, string>> = { FIRST_VALUE: 'FIRST', LAST_VALUE: 'LAST' };

/** Converts `FIRST_VALUE(x) IGNORE NULLS` to `FIRST(x)`, which skips NULL, and LAST_VALUE likewise; returns other calls unchanged. */
export function ignoringNulls(call: CallExpression): CallExpression {
  const called = call.ignoresNulls ? ownValue(IGNORING_NULLS, calledName(call) ?? '') : undefined;
  return called === undefined ? call : { ...renamedCall(call, called, call.arguments), ignoresNulls: false };
}

const UNITS: ReadonlySet<string> = new Set(
  ['YEAR', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND', 'MILLISECOND', 'MICROSECOND'].flatMap((unit) => [unit, `${unit}S`]),
);

/** `interval '90' day` and `interval 1 day`, parsed as `interval "90 day"`; null for other tokens. */
export function parseIntervalOfUnit(p: Parser): TemporalLiteral | null {
  if (!p.isWord('INTERVAL')) return null;
  const hasMinus = p.isSymbol('-', 1);
  const amount = p.peek(hasMinus ? 2 : 1);
  const unit = p.peek(hasMinus ? 3 : 2);
  const isAmount = amount.kind === 'number' || (amount.kind === 'string' && !hasMinus && /^\s*[-+]?\d+(?:\.\d+)?\s*$/.test(amount.value));
  if (!isAmount || !UNITS.has(unit.keyword)) return null;
  const word = p.take();
  const first = p.take();
  while (p.tokens[p.index - 1] !== unit) p.take();
  const text = `${hasMinus ? '-' : ''}${amount.value.trim()} ${unit.text}`;
  return {
    kind: 'TemporalLiteral',
    span: spanning(word.span, unit.span),
    type: 'interval',
    text,
    textSpan: spanning(first.span, unit.span),
  };
}

/** Returns the name of a called function in upper case; null if the callee is quoted or no name. */
export function calledName({ callee }: CallExpression): string | null {
  return callee.kind === 'NameExpression' && !callee.name.isQuoted ? callee.name.text.toUpperCase() : null;
}

/** Builds a call of a function by name, with the name's span `at`. */
export function callOf(name: string, at: Span, args: readonly Argument[], span: Span): CallExpression {
  const callee: Expression = { kind: 'NameExpression', span: at, name: { kind: 'Name', span: at, text: name, isQuoted: false } };
  return {
    kind: 'CallExpression',
    span,
    callee,
    arguments: args,
    isDistinct: false,
    orderBy: [],
    filter: null,
    ignoresNulls: false,
    window: null,
  };
}

/** A call as one of another function, with other arguments. */
export function renamedCall(call: CallExpression, name: string, args: readonly Argument[]): CallExpression {
  return { ...call, callee: callOf(name, call.callee.span, args, call.span).callee, arguments: args };
}

/** A value as a positional argument. */
export function argumentOf(value: Expression): Argument {
  return { kind: 'Argument', span: value.span, bracketSpan: null, name: null, value };
}

/** `VALUES (e, …), …`; null for other tokens. */
export function parseOptionalValues(p: Parser): Expression | null {
  return p.isWord('VALUES') && p.isSymbol('(', 1) ? parseValues(p, p.take()) : null;
}

/** Parses the rows of `VALUES (e, …), …`, with fields `_1`, `_2`, …; the reader is after VALUES. */
function parseValues(p: Parser, start: Token): Expression {
  const elements: Expression[] = [];
  do {
    const first = p.peek();
    const values = p.inBrackets(() => p.many(() => p.parseExpression()));
    const fields = values.map((value, i): RecordField => {
      const name: Name = { kind: 'Name', span: value.span, text: `_${i + 1}`, isQuoted: false };
      return { kind: 'RecordField', span: value.span, name, value };
    });
    elements.push({ kind: 'RecordExpression', span: p.spanFrom(first), fields });
  } while (p.isSymbol('(', 1) && p.optionalSymbol(',') !== null);
  return { kind: 'CollectionExpression', span: p.spanFrom(start), elements };
}
