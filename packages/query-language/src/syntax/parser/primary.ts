import { assertNever } from '../../assert-never.ts';
import { ownValue } from '../../own-value.ts';
import { spanning } from '../../text/span.ts';
import type {
  CaseBranch,
  DataDeclaration,
  Expression,
  Name,
  NumberLiteral,
  SelectExpression,
  SelectItem,
  TemporalLiteral,
} from '../ast.ts';
import { plainQuery } from '../plain-query.ts';
import { syntaxFault } from '../syntax-error.ts';
import type { Token } from '../token.ts';
import { parseDeclarations } from './declaration.ts';
import { parseParameters } from './parameter.ts';
import type { Parser } from './parser.ts';
import { toName } from './parser.ts';
import { parseRecord } from './record.ts';
import { parseColumns, parseSelect } from './select.ts';
import { parseExtract, parseIntervalOfUnit, parseOptionalValues } from './sql-forms.ts';
import { parseType } from './type.ts';

/** Reserved words that are functions if a parenthesis follows. */
const CALLED_WORDS = ['PARSE', 'DISTINCT', 'ALL'];

/** A literal, a name, brackets of any kind, IF, CASE, CAST, a lambda, a block or a SELECT. */
export function parsePrimary(p: Parser): Expression {
  const token = p.peek();
  switch (token.kind) {
    case 'number':
      return parseNumber(p, null);
    case 'string':
      return {
        kind: 'StringLiteral',
        span: p.take().span,
        value: token.value,
        isDoubleQuoted: token.text.startsWith('"') && !token.text.startsWith('"""'),
      };
    case 'regex':
      return { kind: 'RegexLiteral', span: p.take().span, pattern: token.value };
    case 'symbol':
      return parseSymbol(p, token);
    case 'quoted':
      return nameOf(p);
    case 'word':
      return parseWord(p, token);
    case 'end':
      return p.unexpected('an expression');
    default:
      return assertNever(token.kind);
  }
}

/** A number, with the minus in front of it if there is one: only so does the smallest long fit. */
function parseNumber(p: Parser, minus: Token | null): NumberLiteral {
  const token = p.take();
  const span = minus === null ? token.span : spanning(minus.span, token.span);
  const isSmallest = token.value === '9223372036854775808';
  if (isSmallest && minus === null && token.numberType === 'long') return syntaxFault('number-too-large', span);
  const isInt = token.numberType === 'long' && minus !== null && token.value === '2147483648' && !/l$/i.test(token.text);
  return {
    kind: 'NumberLiteral',
    span,
    type: isInt ? 'int' : (token.numberType ?? 'int'),
    text: (minus === null ? '' : '-') + token.value,
  };
}

function parseSymbol(p: Parser, token: Token): Expression {
  switch (token.text) {
    case '-':
      return p.peek(1).kind === 'number' ? parseNumber(p, p.take()) : p.unexpected('an expression');
    case '(':
      return parseParenthesized(p);
    case '[':
      p.take();
      return parseElements(p, token, ']');
    case '{':
      return parseBlock(p);
    case '\\':
      return parseLambda(p);
    default:
      return p.unexpected('an expression');
  }
}

function parseWord(p: Parser, token: Token): Expression {
  const upper = token.keyword;
  const ofSql = parseIntervalOfUnit(p) ?? parseExtract(p);
  if (ofSql !== null) return ofSql;
  const temporal = ownValue(TEMPORALS, upper);
  if (temporal !== undefined && p.peek(1 + wordsOfZone(p)).kind === 'string') return parseTemporal(p, temporal);
  if (upper === 'COLLECTION' && p.isSymbol('(', 1)) {
    p.index += 2;
    return parseElements(p, token, ')');
  }
  if (upper === 'WITH' && p.isPlainName(1) && (p.isSymbol('(', 2) || (p.isWord('AS', 2) && p.isSymbol('(', 3)))) return parseWith(p);
  if (CALLED_WORDS.includes(upper) && p.isSymbol('(', 1)) return nameOf(p);
  switch (upper) {
    case 'NULL':
      return { kind: 'NullLiteral', span: p.take().span };
    case 'TRUE':
    case 'FALSE':
      return { kind: 'BooleanLiteral', span: p.take().span, value: upper === 'TRUE' };
    case 'IF':
      return parseIf(p);
    case 'CASE':
      return parseCase(p);
    case 'CAST':
    case 'TRY_CAST':
      return parseCast(p);
    case 'SAFE_CAST':
      return p.isSymbol('(', 1) ? parseCast(p) : nameOf(p);
    case 'SELECT':
      return p.nested(false, () => parseSelect(p));
    default:
      return p.isPlainName() ? nameOf(p) : p.unexpected('an expression');
  }
}

function nameOf(p: Parser): Expression {
  const token = p.take();
  return { kind: 'NameExpression', span: token.span, name: toName(token) };
}

/** The types of temporal literals, by the words in front of their text. */
const TEMPORALS: Readonly<Record<string, TemporalLiteral['type']>> = {
  DATE: 'date',
  TIME: 'time',
  TIMESTAMP: 'timestamp',
  TIMESTAMPTZ: 'timestamp',
  INTERVAL: 'interval',
};

/** Returns how many words `WITH TIME ZONE` or `WITHOUT TIME ZONE` behind the next word are; 0 if there is none. */
function wordsOfZone(p: Parser): number {
  const isZoned = (p.isWord('WITH', 1) || p.isWord('WITHOUT', 1)) && p.isWord('TIME', 2) && p.isWord('ZONE', 3);
  return isZoned ? 3 : 0;
}

/** `date "…"` and its like. */
function parseTemporal(p: Parser, type: TemporalLiteral['type']): TemporalLiteral {
  const words = wordsOfZone(p);
  const word = p.take();
  p.index += words;
  const text = p.take();
  return { kind: 'TemporalLiteral', span: spanning(word.span, text.span), type, text: text.value, textSpan: text.span };
}

/** `( e )`, a record, or `(VALUES (…), …)`. */
function parseParenthesized(p: Parser): Expression {
  if (p.isWord('VALUES', 1) && p.isSymbol('(', 2)) return parseValuesInBrackets(p);
  const record = parseRecord(p);
  const [only] = record.fields;
  if (only === undefined || only.name !== null || record.fields.length > 1) return record;
  p.parenthesized.set(only.value, record.span);
  return only.value;
}

function parseValuesInBrackets(p: Parser): Expression {
  const start = p.expectSymbol('(');
  const values = parseOptionalValues(p) ?? p.unexpected('VALUES');
  p.expectSymbol(')');
  p.parenthesized.set(values, p.spanFrom(start));
  return values;
}

/** `{ declarations expression }` */
function parseBlock(p: Parser): Expression {
  const start = p.take();
  return p.nested(true, () => {
    const declarations = parseDeclarations(p);
    const result = p.parseExpression();
    p.optionalSymbol(';');
    p.expectSymbol('}');
    return { kind: 'BlockExpression', span: p.spanFrom(start), declarations, result };
  });
}

/** `WITH a [(name, …)] AS (…) {, b AS (…)} SELECT …` means declarations. */
function parseWith(p: Parser): Expression {
  const start = p.take();
  const declarations = p.many((): DataDeclaration => {
    const first = p.peek();
    const name = p.expectName();
    const columns = parseColumns(p);
    p.expectWord('AS');
    const query = p.inBrackets(() => parseOptionalValues(p) ?? p.parseExpression());
    const value = columns.length === 0 ? query : withColumns(query, name, columns);
    return { kind: 'DataDeclaration', span: p.spanFrom(first), annotations: [], isPrivate: false, name, type: null, value };
  });
  const result = p.parseExpression();
  return { kind: 'BlockExpression', span: p.spanFrom(start), declarations, result };
}

/** `SELECT * FROM query AS name (columns)` */
function withColumns(query: Expression, alias: Name, columns: readonly Name[]): SelectExpression {
  const { span } = query;
  const star: SelectItem = { kind: 'StarItem', span, source: null, exclude: [], replace: [], alias: null };
  return plainQuery(span, [star], { kind: 'Source', span, join: null, collection: query, alias, columns, position: null });
}

/** `IF c THEN a ELSE b` */
function parseIf(p: Parser): Expression {
  const start = p.take();
  return p.nested(p.allowsSet, () => {
    const condition = p.parseExpression();
    p.expectWord('THEN');
    const consequent = p.parseExpression();
    p.expectWord('ELSE');
    const alternate = p.parseExpression();
    return { kind: 'IfExpression', span: p.spanFrom(start), condition, consequent, alternate };
  });
}

/** `CASE [e] WHEN e THEN e {…} [ELSE e] END` */
function parseCase(p: Parser): Expression {
  const start = p.take();
  return p.nested(true, () => {
    const operand = p.isWord('WHEN') ? null : p.parseOr();
    const branches: CaseBranch[] = [];
    do {
      const first = p.expectWord('WHEN');
      const when = p.parseExpression();
      p.expectWord('THEN');
      const then = p.parseExpression();
      branches.push({ kind: 'CaseBranch', span: p.spanFrom(first), when, then });
    } while (p.isWord('WHEN'));
    const alternate = p.optionalWord('ELSE') === null ? null : p.parseExpression();
    p.expectWord('END');
    return { kind: 'CaseExpression', span: p.spanFrom(start), operand, branches, alternate };
  });
}

/** `CAST(e AS type)`, `TRY_CAST(e AS type)` */
function parseCast(p: Parser): Expression {
  const start = p.take();
  p.expectSymbol('(');
  const operand = p.nested(true, () => p.parseExpression());
  p.expectWord('AS');
  const type = parseType(p);
  p.expectSymbol(')');
  return { kind: 'CastExpression', span: p.spanFrom(start), isTry: start.keyword !== 'CAST', operand, type };
}

/** `\(parameters) [: type] -> body` */
function parseLambda(p: Parser): Expression {
  const start = p.take();
  const parameters = parseParameters(p);
  const resultType = p.optionalSymbol(':') === null ? null : parseType(p);
  p.expectSymbol('->');
  const body = p.nested(p.allowsSet, () => p.parseExpression());
  return { kind: 'LambdaExpression', span: p.spanFrom(start), parameters, resultType, body };
}

/** The elements of a collection, maybe none, up to and including the closing symbol. */
function parseElements(p: Parser, start: Token, closing: string): Expression {
  const elements = p.isSymbol(closing) ? [] : p.nested(true, () => p.many(() => p.parseExpression()));
  p.expectSymbol(closing);
  return { kind: 'CollectionExpression', span: p.spanFrom(start), elements };
}
