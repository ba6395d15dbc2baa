import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { createDiagnostic } from '../diagnostics/diagnostic-messages.ts';
import { parseTypeExpression } from '../syntax/parse.ts';
import { hydrateType } from './hydrate.ts';
import type { Type } from './type.ts';
import { withinTypeLimit } from './within-type-limit.ts';

/** Parses a type, or returns its diagnostics. A maximum of tokens bounds the time that an invalid text takes. */
export function parseType(text: string, mostTokens?: number): { readonly type: Type } | { readonly diagnostics: readonly Diagnostic[] } {
  const { tree, diagnostics } = parseTypeExpression(text, mostTokens);
  if (tree === null) return { diagnostics };
  const hydrate = (): ReturnType<typeof parseType> => {
    const { type, problems } = hydrateType(tree, () => null);
    if (problems.length === 0) return { type };
    return { diagnostics: problems.map((problem) => createDiagnostic(problem.code, problem.spans, ...problem.details)) };
  };
  return withinTypeLimit(tree.span, hydrate, {});
}
