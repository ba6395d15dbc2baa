import type { Annotation, Argument, Declaration } from '../ast.ts';
import { parseParameters } from './parameter.ts';
import type { Parser } from './parser.ts';
import {
  expectName,
  expectSymbol,
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
  withSets,
} from './token-reader.ts';
import { parseType } from './type.ts';

/** `{ declaration }`: as many as stand here. */
export function parseDeclarations(p: Parser): readonly Declaration[] {
  const declarations: Declaration[] = [];
  while (startsDeclaration(p)) declarations.push(parseDeclaration(p));
  return declarations;
}

/** Returns whether a declaration starts here: `:` or `:=` after the name distinguishes it from an expression. */
export function startsDeclaration(p: Parser): boolean {
  const token = peek(p);
  if (isSymbol(token, '@') || isWord(token, 'PRIVATE')) return true;
  if (isWord(token, 'TYPE') && isPlainName(peek(p, 1)) && isSymbol(peek(p, 2), ':=')) return true;
  if (!isPlainName(token)) return false;
  if (isSymbol(peek(p, 1), ':=') || isSymbol(peek(p, 1), ':')) return true;
  if (!isSymbol(peek(p, 1), '(')) return false;
  const after = afterParentheses(p);
  return isSymbol(peek(p, after), ':=') || isSymbol(peek(p, after), ':');
}

/** Returns the number of tokens up to and including the bracket that closes the one at the next token. */
function afterParentheses(p: Parser): number {
  let depth = 0;
  for (let ahead = 1; ; ahead += 1) {
    const token = peek(p, ahead);
    if (token.kind === 'end') return ahead;
    if (isSymbol(token, '(')) depth += 1;
    if (isSymbol(token, ')')) depth -= 1;
    if (depth === 0) return ahead + 1;
  }
}

/** `{ annotation } [PRIVATE] (TYPE name := type | name [(params)] [: type] := expression) ;` */
export function parseDeclaration(p: Parser): Declaration {
  const start = peek(p);
  const annotations: Annotation[] = [];
  while (isSymbol(peek(p), '@')) annotations.push(parseAnnotation(p));
  const isPrivate = optionalWord(p, 'PRIVATE') !== null;
  if (annotations.length === 0 && isWord(peek(p), 'TYPE') && isSymbol(peek(p, 2), ':=')) {
    take(p);
    const name = expectName(p);
    expectSymbol(p, ':=');
    const type = parseType(p);
    const span = spanFrom(p, start);
    endDeclaration(p, false);
    return { kind: 'TypeDeclaration', span, isPrivate, name, type };
  }
  const name = expectName(p, 'the name of a declaration');
  const parameters = isSymbol(peek(p), '(') ? parseParameters(p) : null;
  const resultType = optionalSymbol(p, ':') === null ? null : parseType(p);
  expectSymbol(p, ':=');
  const isBlock = isSymbol(peek(p), '{');
  const value = withSets(p, true, () => p.parseExpression());
  const span = spanFrom(p, start);
  endDeclaration(p, isBlock && value.kind === 'BlockExpression');
  if (parameters === null) return { kind: 'DataDeclaration', span, annotations, isPrivate, name, type: resultType, value };
  return { kind: 'FunctionDeclaration', span, annotations, isPrivate, name, parameters, resultType, body: value };
}

/** `;` is optional after a block, and at the end of the text. */
function endDeclaration(p: Parser, isBlock: boolean): void {
  if (optionalSymbol(p, ';') === null && !isBlock && peek(p).kind !== 'end') unexpected(p, ';');
}

/** `@ name ( arguments )` */
function parseAnnotation(p: Parser): Annotation {
  const start = take(p);
  const name = expectName(p, 'the name of an annotation');
  expectSymbol(p, '(');
  const args = isSymbol(peek(p), ')')
    ? []
    : nested(p, true, () =>
        many(p, (): Argument => {
          const first = peek(p);
          const isNamed = isPlainName(first) && isSymbol(peek(p, 1), ':=');
          const argumentName = isNamed ? toName(take(p)) : null;
          if (isNamed) take(p);
          const value = p.parseExpression();
          return { kind: 'Argument', span: spanFrom(p, first), bracketSpan: null, name: argumentName, value };
        }),
      );
  expectSymbol(p, ')');
  return { kind: 'Annotation', span: spanFrom(p, start), name, arguments: args };
}
