import type { Parameter } from '../ast.ts';
import type { Parser } from './parser.ts';
import { parseType } from './type.ts';

/** `( [name [: type] [:= default] {, …}] )` */
export function parseParameters(p: Parser): readonly Parameter[] {
  p.expectSymbol('(');
  const parameters = p.isSymbol(')') ? [] : p.nested(true, () => p.many(parseParameter));
  p.expectSymbol(')');
  return parameters;
}

function parseParameter(p: Parser): Parameter {
  const start = p.peek();
  const name = p.expectName('a parameter');
  const type = p.optionalSymbol(':') === null ? null : parseType(p);
  const defaultValue = p.optionalSymbol(':=') === null ? null : p.parseExpression();
  return { kind: 'Parameter', span: p.spanFrom(start), name, type, defaultValue };
}
