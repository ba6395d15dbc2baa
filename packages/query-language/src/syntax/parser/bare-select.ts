import type { Expression } from '../ast.ts';
import { syntaxFault } from '../syntax-error.ts';
import { lastOperand } from './binary.ts';
import type { Parser } from './parser.ts';

/** Kinds of expression without rows: after a comma, these are the next argument, not a source. */
const NO_SOURCES: ReadonlySet<Expression['kind']> = new Set([
  'NullLiteral',
  'BooleanLiteral',
  'NumberLiteral',
  'StringLiteral',
  'TemporalLiteral',
  'RegexLiteral',
  'LambdaExpression',
]);

/**
 * Reports a SELECT without parentheses among several arguments or fields, of which `count` have been parsed: its own lists
 * take what follows a comma.
 */
export function refuseBareSelect(p: Parser, value: Expression, count: number): void {
  const select = lastOperand(p, value);
  if (select.kind !== 'SelectExpression' || p.parenthesized.has(select)) return;
  const hasCommas = select.sources.length === 0 && select.items.length > 1;
  const isBeside = count > 1 || [',', ':', ':='].some((symbol) => p.isSymbol(symbol));
  const takesOther = select.sources.some(
    ({ join, alias, collection }) =>
      join?.isComma === true && alias === null && NO_SOURCES.has(collection.kind) && !p.parenthesized.has(collection),
  );
  if (isBeside || takesOther || hasCommas) syntaxFault('select-in-list', value.span);
}
