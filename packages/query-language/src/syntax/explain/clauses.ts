import { ownValue } from '../../own-value.ts';
import { createDiagnostic } from '../../diagnostics/diagnostic-messages.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Fault } from './fault.ts';
import { hasSymbol, spanOf, tokensBefore, wordAt } from './fault.ts';

/** The clauses of a SELECT by their first words, in their order. */
const CLAUSES: Readonly<Record<string, { readonly name: string; readonly rank: number }>> = {
  SELECT: { name: 'SELECT', rank: 0 },
  FROM: { name: 'FROM', rank: 1 },
  JOIN: { name: 'JOIN', rank: 1 },
  WHERE: { name: 'WHERE', rank: 2 },
  GROUP: { name: 'GROUP BY', rank: 3 },
  HAVING: { name: 'HAVING', rank: 4 },
  WINDOW: { name: 'WINDOW', rank: 5 },
  QUALIFY: { name: 'QUALIFY', rank: 6 },
  ORDER: { name: 'ORDER BY', rank: 7 },
  LIMIT: { name: 'LIMIT', rank: 8 },
  OFFSET: { name: 'OFFSET', rank: 8 },
};

const JOINED: ReadonlySet<string> = new Set(['LEFT', 'RIGHT', 'FULL', 'INNER', 'CROSS']);

/** Explains a clause out of order, a repeated clause, or a second query. */
export function explainClause(fault: Fault): Diagnostic | null {
  const { tokens, at, expected } = fault;
  const token = tokens[at];
  if (expected === 'IMPORT' || expected === 'the name of a package') return explainFrom(fault);
  const word = JOINED.has(wordAt(fault, 0)) ? 'JOIN' : wordAt(fault, 0);
  const clause = ownValue(CLAUSES, word);
  if (token === undefined || clause === undefined) return null;
  if (hasSymbol(fault, at - 1, ';')) return createDiagnostic('after-the-query', [token.span], clause.name, clause.rank === 0);
  if (word === 'SELECT') return secondSelect(fault);
  const before = clausesBefore(fault);
  const later = before.find(({ rank }) => rank > clause.rank);
  if (later !== undefined) return createDiagnostic('clause-order', [token.span], clause.name, later.name);
  const isTwice = word !== 'JOIN' && before.some(({ name }) => name === clause.name);
  return isTwice ? createDiagnostic('repeated-clause', [token.span], clause.name) : null;
}

/** Explains FROM at the start of a text, where it starts an import. */
function explainFrom(fault: Fault): Diagnostic | null {
  const [from, source] = fault.tokens;
  if (from?.keyword !== 'FROM' || source === undefined) return null;
  if (wordAt(fault, 0) === 'SELECT') return createDiagnostic('clause-order', [spanOf(fault, fault.at)], 'SELECT', 'FROM');
  return createDiagnostic('missing-word', [from.span], 'FROM', `SELECT * FROM ${source.text}`);
}

/** The clauses before the refused token back to its SELECT, in the order of the text. */
function clausesBefore(fault: Fault): readonly { readonly name: string; readonly rank: number }[] {
  const found: { readonly name: string; readonly rank: number }[] = [];
  for (const i of tokensBefore(fault)) {
    const word = fault.tokens[i]?.keyword ?? '';
    if (word === 'SELECT') break;
    const clause = hasSymbol(fault, i - 1, '.') ? undefined : ownValue(CLAUSES, word);
    if (clause !== undefined) found.unshift(clause);
  }
  return found;
}

/** `EXISTS SELECT …`, or one query behind another. */
function secondSelect(fault: Fault): Diagnostic | null {
  const { tokens, at } = fault;
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (before === undefined || token === undefined) return null;
  if (before.keyword === 'EXISTS') return createDiagnostic('missing-word', [before.span], 'EXISTS', 'EXISTS(SELECT …)');
  const hasSelect = [...tokensBefore(fault)].some((i) => tokens[i]?.keyword === 'SELECT');
  return hasSelect ? createDiagnostic('second-query', [token.span]) : null;
}
