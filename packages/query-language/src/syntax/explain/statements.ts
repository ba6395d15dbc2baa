import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { RESHAPING } from './constructs.ts';
import type { Fault } from './fault.ts';
import { hasSymbol, unsupported, wordAt } from './fault.ts';

const ONLY_READS = 'a query only reads';
const ROWS = `${ONLY_READS}; rows of a table are sent to POST /tables/<name>/rows`;
const DECLARATION = 'a value is declared as name := value;';
const FUNCTION = 'a function is declared as name(x: int) := x + 1;';
const ONE_QUERY = 'each request is one query, without a session or a transaction';

/** First words of statements of other systems, with the replacement to suggest. */
const STATEMENTS: ReadonlyMap<string, string> = new Map<string, string>([
  ['INSERT', ROWS],
  ['UPDATE', ONLY_READS],
  ['DELETE', ONLY_READS],
  ['MERGE', ONLY_READS],
  ['TRUNCATE', ONLY_READS],
  ['CREATE', `${ONLY_READS}; views are stored with PUT /views/<name>, tables with PUT /tables/<name>`],
  ['ALTER', ONLY_READS],
  ['DROP', `${ONLY_READS}; views and tables are deleted with DELETE /views/<name> and DELETE /table/<name>`],
  ['GRANT', ONLY_READS],
  ['COPY', `${ONLY_READS}; the format of a result is chosen with the Accept header`],
  ['EXPORT', `${ONLY_READS}; the format of a result is chosen with the Accept header`],
  ['EXPLAIN', 'POST /query-validate answers the type of a query'],
  ['DESCRIBE', 'POST /query-validate answers the type of a query, DESCRIBE("file:…") that of a file'],
  ['SHOW', 'GET /views and GET /tables list what is stored'],
  ['SET', DECLARATION],
  ['LET', DECLARATION],
  ['VAR', DECLARATION],
  ['CONST', DECLARATION],
  ['DECLARE', DECLARATION],
  ['DEF', FUNCTION],
  ['FUNCTION', FUNCTION],
  ['BEGIN', ONE_QUERY],
  ['COMMIT', ONE_QUERY],
  ['USE', ONE_QUERY],
  ['PRAGMA', ONLY_READS],
  ['ATTACH', ONLY_READS],
  ['INSTALL', ONLY_READS],
  ['LOAD', ONLY_READS],
  ...Object.entries(RESHAPING),
]);

/** Maximum distance of the fault from such a word, which may also be a name. */
const MOST_TOKENS = 5;

/** Explains a statement that is not a query, at the start of the text or after a semicolon. */
export function explainStatement(fault: Fault): Diagnostic | null {
  const { tokens, at } = fault;
  const last = tokens.findLastIndex((_, i) => i < at && hasSymbol(fault, i, ';')) + 1;
  for (const start of [last, 0]) {
    const word = tokens[start]?.keyword ?? '';
    const instead = STATEMENTS.get(word);
    if (instead !== undefined && at - start <= MOST_TOKENS && !hasSymbol(fault, start + 1, '.'))
      return unsupported(fault, start, start, word, instead);
  }
  return explainAssignment(fault);
}

/** `x = 5; SELECT x`: a comparison, and then another query. */
function explainAssignment(fault: Fault): Diagnostic | null {
  const { at, tokens } = fault;
  if (at < 3 || !hasSymbol(fault, at - 1, ';') || !hasSymbol(fault, 1, '=') || tokens[0]?.kind !== 'word') return null;
  if (wordAt(fault, 0) === '') return null;
  return unsupported(fault, 1, 1, 'an assignment by =', `write ${tokens[0].text} := …;`);
}
