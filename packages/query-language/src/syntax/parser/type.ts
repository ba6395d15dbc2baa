import { ownValue } from '../../own-value.ts';
import type { FieldTypeExpression, FunctionTypeParameter, Name, TypeExpression } from '../ast.ts';
import type { TokenReader } from './token-reader.ts';
import {
  expectAnyName,
  expectName,
  expectSymbol,
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

/** `type [not] nullable`, where type is a name, `collection(T)`, `record(name: T, …)` or `([name:] T, …) -> U`. */
export function parseType(p: TokenReader): TypeExpression {
  const start = peek(p);
  const form = isSymbol(start, '(') ? parseParenthesized(p) : parseNamed(p);
  if (isWord(peek(p), 'NOT') && isWord(peek(p, 1), 'NULLABLE')) p.index += 2;
  else if (optionalWord(p, 'NULLABLE') !== null) return { ...form, isNullable: true, span: spanFrom(p, start) };
  return form;
}

function parseNamed(p: TokenReader): TypeExpression {
  const start = peek(p);
  const opens = isSymbol(peek(p, 1), '(');
  if (opens && isWord(start, 'COLLECTION')) {
    p.index += 2;
    const element = nested(p, true, () => parseType(p));
    expectSymbol(p, ')');
    return { kind: 'CollectionTypeExpression', span: spanFrom(p, start), element, isNullable: false };
  }
  if (opens && isWord(start, 'RECORD')) {
    p.index += 2;
    const fields = isSymbol(peek(p), ')') ? [] : nested(p, true, () => many(p, () => parseFieldType(p)));
    expectSymbol(p, ')');
    return { kind: 'RecordTypeExpression', span: spanFrom(p, start), fields, isNullable: false };
  }
  const name = parseTypeName(p);
  const sizes = SIZED_TYPES.has(name.text.toUpperCase()) && isSymbol(peek(p), '(') ? parseSizes(p) : [];
  return { kind: 'NamedTypeExpression', span: spanFrom(p, start), name, sizes, isNullable: false };
}

/** Names of types that SQL writes in two words. */
const TWO_WORDS: Readonly<Record<string, string>> = { DOUBLE: 'PRECISION', CHARACTER: 'VARYING' };

function parseTypeName(p: TokenReader): Name {
  const name = expectName(p, 'a type');
  const second = name.isQuoted ? undefined : ownValue(TWO_WORDS, name.text.toUpperCase());
  if (second !== undefined) optionalWord(p, second);
  return name;
}

/** Types behind which SQL writes a length, or a precision and a scale. */
const SIZED_TYPES: ReadonlySet<string> = new Set(['VARCHAR', 'CHAR', 'CHARACTER', 'DECIMAL', 'NUMERIC']);

/** `( number {, number} )` */
function parseSizes(p: TokenReader): readonly number[] {
  expectSymbol(p, '(');
  const sizes = many(p, () => (peek(p).numberType === 'int' ? Number(take(p).value) : unexpected(p, 'a whole number')));
  expectSymbol(p, ')');
  return sizes;
}

/** `name: T` */
function parseFieldType(p: TokenReader): FieldTypeExpression {
  const start = peek(p);
  const name = expectAnyName(p, 'a field name');
  expectSymbol(p, ':');
  const type = parseType(p);
  return { kind: 'FieldTypeExpression', span: spanFrom(p, start), name, type };
}

/** `([name:] T, …) -> U`, or a type in parentheses. */
function parseParenthesized(p: TokenReader): TypeExpression {
  const start = expectSymbol(p, '(');
  const parameters = isSymbol(peek(p), ')') ? [] : nested(p, true, () => many(p, () => parseFunctionParameter(p)));
  expectSymbol(p, ')');
  const [only] = parameters;
  if (optionalSymbol(p, '->') === null && parameters.length === 1 && only?.name === null) return { ...only.type, span: spanFrom(p, start) };
  if (!isSymbol(p.tokens[p.index - 1] ?? start, '->')) expectSymbol(p, '->');
  const result = nested(p, true, () => parseType(p));
  return { kind: 'FunctionTypeExpression', span: spanFrom(p, start), parameters, result, isNullable: false };
}

function parseFunctionParameter(p: TokenReader): FunctionTypeParameter {
  const start = peek(p);
  const isNamed = (start.kind === 'word' || start.kind === 'quoted') && isSymbol(peek(p, 1), ':');
  const name = isNamed ? toName(take(p)) : null;
  if (isNamed) expectSymbol(p, ':');
  const type = parseType(p);
  return { kind: 'FunctionTypeParameter', span: spanFrom(p, start), name, type };
}
