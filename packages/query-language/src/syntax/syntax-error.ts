import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { DiagnosticArguments, DiagnosticCode } from '../diagnostics/diagnostic-messages.ts';
import { createDiagnostic } from '../diagnostics/diagnostic-messages.ts';
import type { Span } from '../text/span.ts';

/** Thrown within lexer and parser only: a syntax error is reported alone. */
export class SyntaxFault extends Error {
  readonly diagnostic: Diagnostic;
  /** The expected tokens; null for other faults. */
  readonly expected: string | null;

  constructor(diagnostic: Diagnostic, expected: string | null = null) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
    this.expected = expected;
  }
}

/** Ends the reading of a text with its first syntax error. */
export function syntaxFault<C extends DiagnosticCode>(code: C, span: Span, ...details: DiagnosticArguments<C>): never {
  throw new SyntaxFault(createDiagnostic(code, [span], ...details));
}

/** Aborts parsing at an unexpected token. */
export function unexpectedToken(span: Span, found: string, expected: string): never {
  throw new SyntaxFault(createDiagnostic('unexpected-token', [span], found, expected), expected);
}
