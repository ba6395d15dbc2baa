import type { Parameter } from '../ast.ts';
import type { Parser } from './parser.ts';
import { expectName, expectSymbol, many, nested, optionalSymbol, peek, spanFrom } from './token-reader.ts';
import { parseType } from './type.ts';

/** `( [name [: type] [:= default] {, …}] )` */
export function parseParameters(p: Parser): readonly Parameter[] {
  expectSymbol(p, '(');
  if (optionalSymbol(p, ')') !== null) return [];
  const parameters = nested(p, true, () => many(p, () => parseParameter(p)));
  expectSymbol(p, ')');
  return parameters;
}

function parseParameter(p: Parser): Parameter {
  const start = peek(p);
  const name = expectName(p, 'a parameter');
  const type = optionalSymbol(p, ':') === null ? null : parseType(p);
  const defaultValue = optionalSymbol(p, ':=') === null ? null : p.parseExpression();
  return { kind: 'Parameter', span: spanFrom(p, start), name, type, defaultValue };
}
