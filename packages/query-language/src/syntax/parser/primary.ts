import { assertNever } from '../../assert-never.ts';
import { spanning } from '../../text/span.ts';
import type { CaseBranch, DataDeclaration, Expression, Name, NumberLiteral, SelectExpression, TemporalLiteral } from '../ast.ts';
import { syntaxFault } from '../syntax-error.ts';
import type { Token } from '../token.ts';
import { parseDeclarations } from './declaration.ts';
import { parseParameters } from './parameter.ts';
import type { Parser } from './parser.ts';
import { parseRecord } from './record.ts';
import { parseColumns, parseSelect } from './select.ts';
import { parseExtract, parseIntervalOfUnit, parseOptionalValues } from './sql-forms.ts';
import {
  expectName,
  expectSymbol,
  expectWord,
  isPlainName,
  isSymbol,
  isWord,
  many,
  nested,
  optionalSymbol,
  optionalWord,
  peek,
  spanFrom,
  take,
  toName,
  unexpected,
} from './token-reader.ts';
import { parseType } from './type.ts';

/** Reserved words that are functions if a parenthesis follows. */
const CALLED_WORDS = ['PARSE', 'DISTINCT', 'ALL'];

/** A literal, a name, brackets of any kind, IF, CASE, CAST, a lambda, a block or a SELECT. */
export function parsePrimary(p: Parser): Expression {
  const token = peek(p);
  switch (token.kind) {
    case 'number':
      return parseNumber(p, null);
    case 'string':
      return {
        kind: 'StringLiteral',
        span: take(p).span,
        value: token.value,
        isDoubleQuoted: token.text.startsWith('"') && !token.text.startsWith('"""'),
      };
    case 'regex':
      return { kind: 'RegexLiteral', span: take(p).span, pattern: token.value };
    case 'symbol':
      return parseSymbol(p, token);
    case 'quoted':
      return { kind: 'NameExpression', span: take(p).span, name: toName(token) };
    case 'word':
      return parseWord(p, token);
    case 'end':
      return unexpected(p, 'an expression');
    default:
      return assertNever(token.kind);
  }
}

/** A number, with the minus in front of it if there is one: only so does the smallest long fit. */
function parseNumber(p: Parser, minus: Token | null): NumberLiteral {
  const token = take(p);
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
      return peek(p, 1).kind === 'number' ? parseNumber(p, take(p)) : unexpected(p, 'an expression');
    case '(':
      return parseParenthesized(p);
    case '[': {
      take(p);
      const elements = parseListUntil(p, ']');
      return { kind: 'CollectionExpression', span: spanFrom(p, token), elements };
    }
    case '{':
      return parseBlock(p);
    case '\\':
      return parseLambda(p);
    default:
      return unexpected(p, 'an expression');
  }
}

function parseWord(p: Parser, token: Token): Expression {
  const next = peek(p, 1);
  const upper = token.keyword;
  const ofSql = parseIntervalOfUnit(p) ?? parseExtract(p);
  if (ofSql !== null) return ofSql;
  if (next.kind === 'string' && ['DATE', 'TIME', 'TIMESTAMP', 'INTERVAL'].includes(upper)) return parseTemporal(p);
  if (upper === 'COLLECTION' && isSymbol(next, '(')) {
    p.index += 2;
    const elements = parseListUntil(p, ')');
    return { kind: 'CollectionExpression', span: spanFrom(p, token), elements };
  }
  if (upper === 'WITH' && isPlainName(next) && (isSymbol(peek(p, 2), '(') || (isWord(peek(p, 2), 'AS') && isSymbol(peek(p, 3), '('))))
    return parseWith(p);
  if (CALLED_WORDS.includes(upper) && isSymbol(next, '(')) return nameOf(p);
  switch (upper) {
    case 'NULL':
      return { kind: 'NullLiteral', span: take(p).span };
    case 'TRUE':
    case 'FALSE':
      return { kind: 'BooleanLiteral', span: take(p).span, value: upper === 'TRUE' };
    case 'IF':
      return parseIf(p);
    case 'CASE':
      return parseCase(p);
    case 'CAST':
    case 'TRY_CAST':
      return parseCast(p);
    case 'SAFE_CAST':
      return isSymbol(next, '(') ? parseCast(p) : nameOf(p);
    case 'SELECT':
      return nested(p, false, () => parseSelect(p));
    default:
      return isPlainName(token) ? nameOf(p) : unexpected(p, 'an expression');
  }
}

function nameOf(p: Parser): Expression {
  const token = take(p);
  return { kind: 'NameExpression', span: token.span, name: toName(token) };
}

/** `date "…"` and its like. */
function parseTemporal(p: Parser): TemporalLiteral {
  const word = take(p);
  const text = take(p);
  const type = word.text.toLowerCase() as TemporalLiteral['type']; // the caller has looked at the word
  return { kind: 'TemporalLiteral', span: spanning(word.span, text.span), type, text: text.value, textSpan: text.span };
}

/** `( e )`, a record, or `(VALUES (…), …)`. */
function parseParenthesized(p: Parser): Expression {
  if (isWord(peek(p, 1), 'VALUES') && isSymbol(peek(p, 2), '(')) return parseValuesInBrackets(p);
  const record = parseRecord(p);
  const [only] = record.fields;
  if (only === undefined || only.name !== null || record.fields.length > 1) return record;
  p.parenthesized.set(only.value, record.span);
  return only.value;
}

function parseValuesInBrackets(p: Parser): Expression {
  const start = expectSymbol(p, '(');
  const values = parseOptionalValues(p) ?? unexpected(p, 'VALUES');
  expectSymbol(p, ')');
  p.parenthesized.set(values, spanFrom(p, start));
  return values;
}

/** `{ declarations expression }` */
function parseBlock(p: Parser): Expression {
  const start = take(p);
  return nested(p, true, () => {
    const declarations = parseDeclarations(p);
    const result = p.parseExpression();
    optionalSymbol(p, ';');
    expectSymbol(p, '}');
    return { kind: 'BlockExpression', span: spanFrom(p, start), declarations, result };
  });
}

/** `WITH a [(name, …)] AS (…) {, b AS (…)} SELECT …` means declarations. */
function parseWith(p: Parser): Expression {
  const start = take(p);
  const declarations = many(p, (): DataDeclaration => {
    const first = peek(p);
    const name = expectName(p);
    const columns = parseColumns(p);
    expectWord(p, 'AS');
    expectSymbol(p, '(');
    const query = nested(p, true, () => parseOptionalValues(p) ?? p.parseExpression());
    expectSymbol(p, ')');
    const value = columns.length === 0 ? query : withColumns(query, name, columns);
    return { kind: 'DataDeclaration', span: spanFrom(p, first), annotations: [], isPrivate: false, name, type: null, value };
  });
  const result = p.parseExpression();
  return { kind: 'BlockExpression', span: spanFrom(p, start), declarations, result };
}

/** `SELECT * FROM query AS name (columns)` */
function withColumns(query: Expression, alias: Name, columns: readonly Name[]): SelectExpression {
  const { span } = query;
  return {
    kind: 'SelectExpression',
    span,
    isDistinct: false,
    distinctOn: [],
    items: [{ kind: 'StarItem', span, source: null, exclude: [], replace: [], alias: null }],
    sources: [{ kind: 'Source', span, join: null, collection: query, alias, columns, position: null }],
    where: null,
    groupBy: [],
    groupingSets: null,
    isGroupedByAll: false,
    having: null,
    windows: [],
    qualify: null,
    orderBy: [],
    limit: null,
    offset: null,
  };
}

/** `IF c THEN a ELSE b` */
function parseIf(p: Parser): Expression {
  const start = take(p);
  return nested(p, p.allowsSet, () => {
    const condition = p.parseExpression();
    expectWord(p, 'THEN');
    const consequent = p.parseExpression();
    expectWord(p, 'ELSE');
    const alternate = p.parseExpression();
    return { kind: 'IfExpression', span: spanFrom(p, start), condition, consequent, alternate };
  });
}

/** `CASE [e] WHEN e THEN e {…} [ELSE e] END` */
function parseCase(p: Parser): Expression {
  const start = take(p);
  return nested(p, true, () => {
    const operand = isWord(peek(p), 'WHEN') ? null : p.parseOr();
    const branches: CaseBranch[] = [];
    do {
      const first = expectWord(p, 'WHEN');
      const when = p.parseExpression();
      expectWord(p, 'THEN');
      const then = p.parseExpression();
      branches.push({ kind: 'CaseBranch', span: spanFrom(p, first), when, then });
    } while (isWord(peek(p), 'WHEN'));
    const alternate = optionalWord(p, 'ELSE') === null ? null : p.parseExpression();
    expectWord(p, 'END');
    return { kind: 'CaseExpression', span: spanFrom(p, start), operand, branches, alternate };
  });
}

/** `CAST(e AS type)`, `TRY_CAST(e AS type)` */
function parseCast(p: Parser): Expression {
  const start = take(p);
  expectSymbol(p, '(');
  const operand = nested(p, true, () => p.parseExpression());
  expectWord(p, 'AS');
  const type = parseType(p);
  expectSymbol(p, ')');
  return { kind: 'CastExpression', span: spanFrom(p, start), isTry: !isWord(start, 'CAST'), operand, type };
}

/** `\(parameters) [: type] -> body` */
function parseLambda(p: Parser): Expression {
  const start = take(p);
  const parameters = parseParameters(p);
  const resultType = optionalSymbol(p, ':') === null ? null : parseType(p);
  expectSymbol(p, '->');
  const body = nested(p, p.allowsSet, () => p.parseExpression());
  return { kind: 'LambdaExpression', span: spanFrom(p, start), parameters, resultType, body };
}

/** `[ e {, e} ]`-like lists, possibly empty, up to and including the closing symbol. */
function parseListUntil(p: Parser, closing: string): readonly Expression[] {
  if (optionalSymbol(p, closing) !== null) return [];
  const list = nested(p, true, () => many(p, () => p.parseExpression()));
  expectSymbol(p, closing);
  return list;
}
