import type { Annotation, Argument, Declaration } from '../ast.ts';
import { parseParameters } from './parameter.ts';
import type { Parser } from './parser.ts';
import { parseType } from './type.ts';

/** `{ declaration }`: as many as stand here. */
export function parseDeclarations(p: Parser): readonly Declaration[] {
  const declarations: Declaration[] = [];
  while (startsDeclaration(p)) declarations.push(parseDeclaration(p));
  return declarations;
}

/** Returns whether a declaration starts here: `:` or `:=` after the name distinguishes it from an expression. */
export function startsDeclaration(p: Parser): boolean {
  if (p.isSymbol('@') || p.isWord('PRIVATE')) return true;
  if (p.isWord('TYPE') && p.isPlainName(1) && p.isSymbol(':=', 2)) return true;
  if (!p.isPlainName()) return false;
  if (p.isSymbol(':=', 1) || p.isSymbol(':', 1)) return true;
  if (!p.isSymbol('(', 1)) return false;
  const after = afterParentheses(p);
  return p.isSymbol(':=', after) || p.isSymbol(':', after);
}

/** Returns the number of tokens up to and including the bracket that closes the one at the next token. */
function afterParentheses(p: Parser): number {
  let depth = 0;
  for (let ahead = 1; ; ahead += 1) {
    if (p.peek(ahead).kind === 'end') return ahead;
    if (p.isSymbol('(', ahead)) depth += 1;
    if (p.isSymbol(')', ahead)) depth -= 1;
    if (depth === 0) return ahead + 1;
  }
}

/** `{ annotation } [PRIVATE] (TYPE name := type | name [(params)] [: type] := expression) ;` */
export function parseDeclaration(p: Parser): Declaration {
  const start = p.peek();
  const annotations: Annotation[] = [];
  while (p.isSymbol('@')) annotations.push(parseAnnotation(p));
  const isPrivate = p.optionalWord('PRIVATE') !== null;
  if (annotations.length === 0 && p.isWord('TYPE') && p.isSymbol(':=', 2)) {
    p.take();
    const name = p.expectName();
    p.expectSymbol(':=');
    const type = parseType(p);
    const span = p.spanFrom(start);
    endDeclaration(p, false);
    return { kind: 'TypeDeclaration', span, isPrivate, name, type };
  }
  const name = p.expectName('the name of a declaration');
  const parameters = p.isSymbol('(') ? parseParameters(p) : null;
  const resultType = p.optionalSymbol(':') === null ? null : parseType(p);
  p.expectSymbol(':=');
  const isBlock = p.isSymbol('{');
  const value = p.withSets(true, () => p.parseExpression());
  const span = p.spanFrom(start);
  endDeclaration(p, isBlock && value.kind === 'BlockExpression');
  if (parameters === null) return { kind: 'DataDeclaration', span, annotations, isPrivate, name, type: resultType, value };
  return { kind: 'FunctionDeclaration', span, annotations, isPrivate, name, parameters, resultType, body: value };
}

/** `;` is optional after a block, and at the end of the text. */
function endDeclaration(p: Parser, isBlock: boolean): void {
  if (p.optionalSymbol(';') === null && !isBlock && p.peek().kind !== 'end') p.unexpected(';');
}

/** `@ name ( arguments )` */
function parseAnnotation(p: Parser): Annotation {
  const start = p.take();
  const name = p.expectName('the name of an annotation');
  p.expectSymbol('(');
  const args = p.isSymbol(')') ? [] : p.nested(true, () => p.many(parseArgument));
  p.expectSymbol(')');
  return { kind: 'Annotation', span: p.spanFrom(start), name, arguments: args };
}

/** `[name :=] expression` */
function parseArgument(p: Parser): Argument {
  const start = p.peek();
  const name = p.isPlainName() ? p.optionalNameBefore(':=') : null;
  const value = p.parseExpression();
  return { kind: 'Argument', span: p.spanFrom(start), bracketSpan: null, name, value };
}
