import { createDiagnostic } from '../../diagnostics/diagnostic-messages.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { RESERVED_WORDS } from '../../types/print.ts';
import { describeToken } from '../token.ts';
import type { Fault } from './fault.ts';
import { CLOSING, hasSymbol, openBracket, reservedAsName, tokensBefore, wordAt } from './fault.ts';
import { explainObject } from './signs.ts';

/** Explains missing and superfluous commas, semicolons between arguments, and names that need quotes. */
export function explainPunctuation(fault: Fault): Diagnostic | null {
  const { tokens, at, expected } = fault;
  const token = tokens[at];
  if (token === undefined) return null;
  const found = describeToken(token);
  const advise = (instead: string): Diagnostic => createDiagnostic('found-instead', [token.span], found, instead);
  if (isAnExpressionExpected(expected) && isFieldName(fault)) return advise(reservedAsName(token));
  if (hasSymbol(fault, at - 1, ',') && (token.kind === 'word' || token.kind === 'end' || CLOSING.has(token.text)))
    return isAnExpressionExpected(expected) ? advise('remove the comma before it') : null;
  if (token.text === ';' && expected === ')') return advise('arguments stand with commas between them');
  if (token.text === ',' && lastClause(fault) === 'LIMIT') return advise(`LIMIT takes one number: write LIMIT ${countAndOffset(fault)}`);
  if (wordAt(fault, -1) === 'SELECT' && token.keyword === 'FROM') return advise('SELECT needs an item before it, as in SELECT * FROM');
  if (expected === 'a name' && token.kind === 'string' && token.value !== '')
    return advise(`a name stands in double quotes or back-ticks: \`${token.value}\``);
  if (expected === 'a name' && RESERVED_WORDS.has(token.keyword)) return advise(reservedAsName(token));
  const open = openBracket(fault, at);
  if (open < 0 && CLOSING.has(token.text)) return advise('no bracket is open here');
  if (hasSymbol(fault, open, '{')) return explainObject(fault, open);
  if (CLAUSE_WORDS.has(token.keyword) && token.keyword !== 'SELECT' && expected === 'the end of the text' && lastClause(fault) === '')
    return advise(`it belongs to a SELECT: write SELECT * FROM … ${token.keyword} …`);
  const startsItem = token.kind === 'word' || token.kind === 'string' || token.kind === 'number' || token.text === '(';
  if (startsItem && !RESERVED_WORDS.has(token.keyword) && expected === 'the end of the text' && lastClause(fault) === 'SELECT')
    return advise('a comma is missing between items, or an operator');
  return null;
}

/** Reserved words that data has as names of fields. */
const FIELD_NAMES: ReadonlySet<string> = new Set('END FROM GROUP IMPORT LIKE ORDER PRIVATE UNION WHEN'.split(' '));
const AFTER_NAMES: ReadonlySet<string> = new Set('AND AS ASC BETWEEN DESC FROM IN IS LIKE OR'.split(' '));

/** Returns whether the unexpected token is a reserved word that stands where a name does, before an operator, a comma or an end. */
function isFieldName({ tokens, at }: Fault): boolean {
  const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (token?.kind !== 'word' || !FIELD_NAMES.has(token.keyword) || ['CASE', 'WHEN', 'THEN', 'ELSE'].includes(before?.keyword ?? ''))
    return false;
  if (after?.kind === 'symbol') return after.text !== '(' && after.text !== '*';
  return token.keyword !== 'FROM' && (after?.kind === 'end' || AFTER_NAMES.has(after?.keyword ?? ''));
}

function isAnExpressionExpected(expected: string): boolean {
  return expected === 'an expression' || expected === 'a name';
}

const CLAUSE_WORDS: ReadonlySet<string> = new Set('SELECT FROM WHERE GROUP HAVING WINDOW QUALIFY ORDER LIMIT OFFSET'.split(' '));

/** Returns the clause of the unexpected token. */
function lastClause(fault: Fault): string {
  for (const i of tokensBefore(fault)) {
    const word = fault.tokens[i]?.keyword ?? '';
    if (CLAUSE_WORDS.has(word)) return word;
  }
  return '';
}

/** Rewrites `LIMIT 5, 10` of MySQL. */
function countAndOffset({ tokens, at }: Fault): string {
  const [offset, count] = [tokens[at - 1], tokens[at + 1]];
  return offset?.kind === 'number' && count?.kind === 'number' ? `${count.text} OFFSET ${offset.text}` : 'count OFFSET start';
}
