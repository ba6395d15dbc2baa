import { createDiagnostic } from '../../diagnostics/diagnostic-messages.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { suggest } from '../../text/suggest.ts';
import { RESERVED_WORDS } from '../../types/print.ts';
import type { Token } from '../token.ts';
import type { Fault } from './fault.ts';
import { hasSymbol, tokensBefore, wordAt } from './fault.ts';

/** Keywords to suggest for similar words; two-letter ones are excluded, since they resemble too many. */
const KEYWORDS: readonly string[] =
  `SELECT FROM WHERE GROUP HAVING ORDER UNION INTERSECT EXCEPT JOIN LEFT RIGHT FULL INNER CROSS OUTER USING
  DISTINCT AND NOT NULL LIKE ILIKE BETWEEN CASE WHEN THEN ELSE END LIMIT OFFSET QUALIFY WINDOW PARTITION OVER ASC DESC NULLS FIRST LAST
  WITH VALUES CAST ESCAPE FILTER LATERAL IMPORT`.split(/\s+/);

/** Explains a misspelt keyword: the unexpected word, or the one before it, which was parsed as an alias or a name. */
export function explainKeyword(fault: Fault): Diagnostic | null {
  const { tokens, at, expected } = fault;
  const isStar = hasSymbol(fault, at - 1, '*') || hasSymbol(fault, at - 1, '(');
  const suspects = [tokens[at], tokens[at - 1], isStar ? tokens[at - 2] : undefined];
  for (const [i, token] of suspects.entries()) {
    if (token === undefined || token.kind !== 'word') continue;
    const keyword =
      (i === 0 && !RESERVED_WORDS.has(token.keyword)
        ? suggest(
            token.text,
            expected.split(' or ').filter((one) => /^[A-Z]+$/.test(one)),
          )
        : null) ?? keywordOf(fault, token, i);
    if (keyword !== null) return createDiagnostic('misspelt-keyword', [token.span], token.text, keyword);
  }
  return wordAt(fault, -1) === '' ? null : missingBy(fault);
}

/** Returns the keyword that a word resembles. The name of a source and a field after a dot are excluded. */
function keywordOf(fault: Fault, token: Token, back: number): string | null {
  const before = wordAt(fault, -back - 1);
  if (RESERVED_WORDS.has(token.keyword) || KEYWORDS.includes(token.keyword)) return null;
  if (hasSymbol(fault, fault.at - back - 1, '.') || before === 'AS') return null;
  if (back > 0 && (before === 'FROM' || before === 'JOIN')) return null;
  const keyword = suggest(token.text, KEYWORDS);
  const hasFrom = keyword === 'FROM' && [...tokensBefore(fault)].some((i) => fault.tokens[i]?.keyword === 'FROM');
  return hasFrom ? null : keyword;
}

/** `GROUP dept`: the word BY is missing. */
function missingBy({ tokens, at, expected }: Fault): Diagnostic | null {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (expected !== 'BY' || before === undefined || token === undefined) return null;
  return createDiagnostic('missing-word', [before.span], before.text, `${before.keyword} BY`);
}
