import { ownValue } from '../../own-value.ts';
import type { FieldTypeExpression, FunctionTypeParameter, Name, TypeExpression } from '../ast.ts';
import { isSymbol } from '../token.ts';
import type { Parser } from './parser.ts';

/** `type [not] nullable`, where type is a name, `collection(T)`, `record(name: T, …)` or `([name:] T, …) -> U`. */
export function parseType(p: Parser): TypeExpression {
  const start = p.peek();
  const form = p.isSymbol('(') ? parseParenthesized(p) : parseNamed(p);
  if (!p.optionalWords('NOT', 'NULLABLE') && p.optionalWord('NULLABLE') !== null)
    return { ...form, isNullable: true, span: p.spanFrom(start) };
  return form;
}

function parseNamed(p: Parser): TypeExpression {
  const start = p.peek();
  const opens = p.isSymbol('(', 1);
  if (opens && p.optionalWord('COLLECTION') !== null) {
    const element = p.inBrackets(() => parseType(p));
    return { kind: 'CollectionTypeExpression', span: p.spanFrom(start), element, isNullable: false };
  }
  if (opens && start.keyword === 'RECORD') {
    p.index += 2;
    const fields = p.isSymbol(')') ? [] : p.nested(true, () => p.many(parseFieldType));
    p.expectSymbol(')');
    return { kind: 'RecordTypeExpression', span: p.spanFrom(start), fields, isNullable: false };
  }
  const name = parseTypeName(p);
  const sizes = SIZED_TYPES.has(name.text.toUpperCase()) && p.isSymbol('(') ? parseSizes(p) : [];
  return { kind: 'NamedTypeExpression', span: p.spanFrom(start), name, sizes, isNullable: false };
}

/** Names of types that SQL writes in two words. */
const TWO_WORDS: Readonly<Record<string, string>> = { DOUBLE: 'PRECISION', CHARACTER: 'VARYING' };

function parseTypeName(p: Parser): Name {
  const name = p.expectName('a type');
  const second = name.isQuoted ? undefined : ownValue(TWO_WORDS, name.text.toUpperCase());
  if (second !== undefined) p.optionalWord(second);
  if (WITH_ZONES.has(name.text.toUpperCase()) && !p.optionalWords('WITH', 'TIME', 'ZONE')) p.optionalWords('WITHOUT', 'TIME', 'ZONE');
  return name;
}

/** Types behind which SQL writes `WITH TIME ZONE` or `WITHOUT TIME ZONE`: of a text either way, an offset is taken to UTC. */
const WITH_ZONES: ReadonlySet<string> = new Set(['TIMESTAMP', 'TIME']);

/** Types behind which SQL writes a length, or a precision and a scale. */
const SIZED_TYPES: ReadonlySet<string> = new Set(['VARCHAR', 'CHAR', 'CHARACTER', 'DECIMAL', 'NUMERIC']);

/** `( number {, number} )` */
function parseSizes(p: Parser): readonly number[] {
  p.expectSymbol('(');
  const sizes = p.many(() => (p.peek().numberType === 'int' ? Number(p.take().value) : p.unexpected('a whole number')));
  p.expectSymbol(')');
  return sizes;
}

/** `name: T` */
function parseFieldType(p: Parser): FieldTypeExpression {
  const start = p.peek();
  const name = p.expectAnyName('a field name');
  p.expectSymbol(':');
  const type = parseType(p);
  return { kind: 'FieldTypeExpression', span: p.spanFrom(start), name, type };
}

/** `([name:] T, …) -> U`, or a type in parentheses. */
function parseParenthesized(p: Parser): TypeExpression {
  const start = p.expectSymbol('(');
  const parameters = p.isSymbol(')') ? [] : p.nested(true, () => p.many(parseFunctionParameter));
  p.expectSymbol(')');
  const [only] = parameters;
  if (p.optionalSymbol('->') === null && parameters.length === 1 && only?.name === null) return { ...only.type, span: p.spanFrom(start) };
  if (!isSymbol(p.tokens[p.index - 1] ?? start, '->')) p.expectSymbol('->');
  const result = p.nested(true, () => parseType(p));
  return { kind: 'FunctionTypeExpression', span: p.spanFrom(start), parameters, result, isNullable: false };
}

function parseFunctionParameter(p: Parser): FunctionTypeParameter {
  const start = p.peek();
  const name = p.optionalNameBefore(':');
  const type = parseType(p);
  return { kind: 'FunctionTypeParameter', span: p.spanFrom(start), name, type };
}
