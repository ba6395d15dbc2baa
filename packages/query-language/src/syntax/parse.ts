import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Declaration, Import, ImportedName, Program, TypeExpression } from './ast.ts';
import { explainFault } from './explain/explain-fault.ts';
import { readTokens } from './lexer.ts';
import { parseDeclaration, startsDeclaration } from './parser/declaration.ts';
import { createParser } from './parser/expression.ts';
import type { Parser } from './parser/parser.ts';
import { parseType } from './parser/type.ts';
import { SyntaxFault, syntaxFault } from './syntax-error.ts';
import type { SyntaxNode } from './walk.ts';
import { childrenOf } from './walk.ts';

/** The tree of a program, or the one syntax error that it has. */
export type ParseResult<T> =
  | { readonly tree: T; readonly diagnostics: readonly [] }
  | { readonly tree: null; readonly diagnostics: readonly [Diagnostic] };

/** Parses a whole program: imports, declarations, and the final expression, if any. */
export function parseProgram(text: string): ParseResult<Program> {
  return parseText(text, (p) => {
    const imports: Import[] = [];
    const declarations: Declaration[] = [];
    for (;;) {
      if (startsImport(p)) imports.push(parseImport(p));
      else if (startsDeclaration(p)) declarations.push(parseDeclaration(p));
      else break;
    }
    const isEnd = p.peek().kind === 'end';
    const result = isEnd && (declarations.length > 0 || imports.length > 0) ? null : p.parseExpression();
    p.optionalSymbol(';');
    return { kind: 'Program', span: { start: 0, end: text.length }, imports, declarations, result };
  });
}

/** Reads one type of at most `mostTokens` tokens, as in a table's definition. */
export function parseTypeExpression(text: string, mostTokens?: number): ParseResult<TypeExpression> {
  return parseText(text, parseType, mostTokens);
}

/** Maximum depth of a tree. Later passes are recursive, except down the left side of a chain of operators. */
const MAX_DEPTH = 1000;

/** Checks the depth of a tree from all constructs; the parser itself counts brackets only. */
function checkTreeDepth(root: SyntaxNode): void {
  const open: { readonly node: SyntaxNode; readonly depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth > MAX_DEPTH) syntaxFault('nested-too-deeply', node.span, MAX_DEPTH);
    const spine = node.kind === 'BinaryExpression' || node.kind === 'SetExpression' ? node.left : null;
    for (const child of childrenOf(node)) open.push({ node: child, depth: child === spine ? depth : depth + 1 });
  }
}

function parseText<T extends SyntaxNode>(text: string, read: (p: Parser) => T, mostTokens?: number): ParseResult<T> {
  let reader: Parser | null = null;
  try {
    const p = createParser(readTokens(text, mostTokens));
    reader = p;
    const tree = read(p);
    if (p.peek().kind !== 'end') p.unexpected('the end of the text');
    if (p.tokens.length > MAX_DEPTH) checkTreeDepth(tree);
    return { tree, diagnostics: [] };
  } catch (error) {
    if (error instanceof SyntaxFault) return { tree: null, diagnostics: [explained(error, reader)] };
    throw error;
  }
}

/** The diagnostic of a syntax error, with the mistake that the tokens around it show. */
function explained({ diagnostic, expected }: SyntaxFault, p: Parser | null): Diagnostic {
  return p === null || expected === null ? diagnostic : explainFault({ tokens: p.tokens, at: p.index, expected }, diagnostic);
}

/** In a program, FROM starts an import only. */
function startsImport(p: Parser): boolean {
  return p.isWord('IMPORT') || p.isWord('FROM');
}

/** `FROM name IMPORT name [AS name] {, …} ;` or `IMPORT name [AS name] ;` */
function parseImport(p: Parser): Import {
  const start = p.peek();
  if (p.optionalWord('FROM') !== null) {
    const packageName = p.expectName('the name of a package');
    p.expectWord('IMPORT');
    const names = p.many((): ImportedName => {
      const first = p.peek();
      const name = p.expectName();
      const alias = p.optionalWord('AS') === null ? null : p.expectName();
      return { kind: 'ImportedName', span: p.spanFrom(first), name, alias };
    });
    p.expectSymbol(';');
    return { kind: 'ImportNames', span: p.spanFrom(start), packageName, names };
  }
  p.take();
  const packageName = p.expectName('the name of a package');
  const alias = p.optionalWord('AS') === null ? null : p.expectName();
  p.expectSymbol(';');
  return { kind: 'ImportPackage', span: p.spanFrom(start), packageName, alias };
}
