import type { DefinitionProblem } from '@svc/api-client';

import { cleanText } from '../output/clean-text.ts';

/** Returns a line for each fault of an application's definition, which begins with its place; a fault of the whole text has none. */
export function describeDefinitionProblems(problems: readonly DefinitionProblem[]): readonly string[] {
  return problems.map(({ message, path }) => cleanText(path === '' ? `  ${message}` : `  ${path}: ${message}`));
}
