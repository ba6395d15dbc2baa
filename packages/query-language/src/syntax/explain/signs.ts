import { createDiagnostic } from '../../diagnostics/diagnostic-messages.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { RESERVED_WORDS } from '../../types/print.ts';
import { COMPARISONS } from '../operators.ts';
import type { Fault } from './fault.ts';
import { hasSymbol, openBracket, reservedAsName, spanOf, tokensBefore, unsupported } from './fault.ts';

/** Unknown operators, with the replacement to suggest; longer ones before their prefixes. */
export const UNKNOWN_SIGNS: readonly (readonly [sign: string, instead: string])[] = [
  ['&&', 'write AND'],
  ['&', '|| joins texts and AND joins conditions'],
  ['|', '|| joins texts and OR joins conditions'],
  ['!~', 'NOT MATCHES(s, r"…") tests a whole text with a regular expression'],
  ['!', 'write NOT'],
  ['~', 'MATCHES(s, r"…") tests a whole text with a regular expression'],
  ['^@', 'write STARTS_WITH(s, what)'],
  ['^', 'write POWER(x, y)'],
  ['??', 'write COALESCE(a, b)'],
  ['?', 'write IF c THEN a ELSE b, or for a parameter of the query \\(id: int) -> SELECT …'],
  ['#>', 'navigate an any with .name and [i]'],
  ['#', 'a comment begins with --'],
  ['$', 'a parameter of the query is declared: \\(id: int) -> SELECT …'],
  ...['‘', '’', '“', '”', '´'].map((quote) => [quote, 'texts stand in straight quotes, \'…\' or "…"'] as const),
];

const NAVIGATE = 'navigate an any with .name and [i]; CAST gives the value a type';

/** Operators of other languages that are read as several signs. */
const OPERATORS: readonly (readonly [signs: string, instead: string])[] = [
  ['===', 'write ='],
  ['!==', 'write <>'],
  ['==', 'write ='],
  ['=<', 'write <='],
  ['<=>', 'write IS NOT DISTINCT FROM'],
  ['=>', 'a function is written \\(x) -> x + 1, and an argument with its name as name := value'],
  ['**', 'write POWER(x, y)'],
  ['<<', 'write x * POWER(2, n)'],
  ['>>', 'write FLOOR(x / POWER(2, n))'],
  ['->>', NAVIGATE],
  ['@>', 'test membership with IN, or elements with ANY(c, \\(x) -> …)'],
  ['<@', 'test membership with IN, or elements with ANY(c, \\(x) -> …)'],
  ['//', 'integers divide with /'],
];

/** An operator that does not exist, if the refused token is part of one. */
export function explainSign(fault: Fault): Diagnostic | null {
  const { tokens, at } = fault;
  const token = tokens[at];
  if (token?.kind !== 'symbol') return null;
  for (const [signs, instead] of OPERATORS) {
    const found = placesOf(fault, signs);
    if (found !== null) return unsupported(fault, found.first, found.last, signs, instead);
  }
  if (token.text === '->') return explainArrow(fault);
  if (token.text === ':') return explainColon(fault);
  const before = tokens[at - 1];
  if (token.text === ':=' && before !== undefined && RESERVED_WORDS.has(before.keyword))
    return createDiagnostic('found-instead', [before.span], before.text, reservedAsName(before));
  if (token.text === ':=')
    return createDiagnostic('found-instead', [token.span], ':=', 'an item is named with AS, and declarations stand before the query');
  return Object.hasOwn(COMPARISONS, token.text) ? explainChain(fault) : null;
}

/** The tokens, side by side without space, that make up an operator around the refused one. */
function placesOf({ tokens, at }: Fault, signs: string): { readonly first: number; readonly last: number } | null {
  for (let first = Math.max(0, at - 1); first <= at; first += 1) {
    let text = '';
    for (let last = first; last < tokens.length && text.length < signs.length; last += 1) {
      const token = tokens[last];
      if (token === undefined || (last > first && token.span.start !== tokens[last - 1]?.span.end)) break;
      text += token.text;
      if (text === signs && last >= at && last > first) return { first, last };
    }
  }
  return null;
}

/** `v -> 'a'` of JSON, or `x -> x + 1` of a function. */
function explainArrow(fault: Fault): Diagnostic {
  const { tokens, at } = fault;
  const next = tokens[at + 1];
  const isJson = next?.kind === 'string' || next?.kind === 'number';
  return unsupported(fault, at, at, '->', isJson ? NAVIGATE : 'a function is written \\(x) -> x + 1');
}

/** A colon of a JSON path, a slice, a placeholder or an object. */
function explainColon(fault: Fault): Diagnostic | null {
  const { tokens, at } = fault;
  const open = openBracket(fault, at);
  if (hasSymbol(fault, open, '['))
    return unsupported(fault, at, at, 'a slice', 'write TAKE(DROP(c, 1), 2), and of a text SUBSTRING(s, 2, 2)');
  if (hasSymbol(fault, open, '{')) return explainObject(fault, open);
  const next = tokens[at + 1];
  if (next?.kind !== 'word') return null;
  const isPlaceholder = fault.expected === 'an expression';
  if (isPlaceholder) return unsupported(fault, at, at + 1, `:${next.text}`, `a parameter is declared: \\(${next.text}: int) -> SELECT …`);
  return open < 0 ? unsupported(fault, at, at, ':', `write .${next.text}`) : null;
}

/** `{'a': 1}`, which is a record in round brackets here. */
export function explainObject(fault: Fault, open: number): Diagnostic | null {
  const name = fault.tokens[open + 1];
  if (name === undefined || !hasSymbol(fault, open + 2, ':') || (name.kind !== 'word' && name.kind !== 'string')) return null;
  return unsupported(fault, open, open, 'an object in { }', `a record is written (${name.value}: …)`);
}

/** `1 < x < 3`, and `a = 1 || b = 2`, in which `||` joins texts. */
function explainChain(fault: Fault): Diagnostic | null {
  const { tokens, at } = fault;
  for (const i of tokensBefore(fault)) {
    const token = tokens[i];
    if (token?.kind === 'symbol' && token.text === '||')
      return createDiagnostic('found-instead', [token.span], '||', 'it joins texts, OR joins conditions');
    if (token?.kind === 'symbol' && Object.hasOwn(COMPARISONS, token.text))
      return createDiagnostic('chained-comparison', [spanOf(fault, at)]);
    if (token?.kind === 'word' && ENDS_OF_CONDITIONS.has(token.keyword)) return null;
  }
  return null;
}

const ENDS_OF_CONDITIONS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT', 'WHERE', 'ON', 'HAVING', 'SELECT', 'WHEN', 'THEN', 'QUALIFY']);
