import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { DiagnosticArguments, DiagnosticCode } from '../diagnostics/diagnostic-messages.ts';
import { createDiagnostic } from '../diagnostics/diagnostic-messages.ts';
import type { Span } from '../text/span.ts';

/** Thrown inside lexer and parser only: a syntax error is reported alone. */
export class SyntaxFault extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/** Ends the reading of a text with its first syntax error. */
export function syntaxFault<C extends DiagnosticCode>(code: C, span: Span, ...details: DiagnosticArguments<C>): never {
  throw new SyntaxFault(createDiagnostic(code, [span], ...details));
}
