import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { createDiagnostic } from '../diagnostics/diagnostic-messages.ts';
import { parseTypeExpression } from '../syntax/parse.ts';
import { hydrateType } from './hydrate.ts';
import type { Type } from './type.ts';

/** The type that a text stands for, or what is wrong with it. */
export function parseType(text: string): { readonly type: Type } | { readonly diagnostics: readonly Diagnostic[] } {
  const { tree, diagnostics } = parseTypeExpression(text);
  if (tree === null) return { diagnostics };
  const { type, problems } = hydrateType(tree, () => null);
  return problems.length === 0
    ? { type }
    : { diagnostics: problems.map((problem) => createDiagnostic(problem.code, problem.spans, ...problem.details)) };
}
