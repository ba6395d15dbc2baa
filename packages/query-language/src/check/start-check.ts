import type { Program } from '../syntax/ast.ts';
import type { CheckContext } from './check-context.ts';
import { createCheckContext } from './check-context.ts';
import type { CheckEnvironment } from './environment.ts';
import { checkOperand } from './expression.ts';
import { openProgram } from './program-scope.ts';
import type { DeclarationScope } from './scope.ts';

/** Opens a program in a new context, and checks its declarations. `trail`: the stored text that it is, if it is one. */
export function startCheck(
  program: Program,
  environment: CheckEnvironment,
  trail: readonly string[] = [],
): { readonly context: CheckContext; readonly declared: DeclarationScope } {
  const context = createCheckContext(environment, checkOperand, trail);
  const declared = openProgram(context, program, context.holder);
  declared.checkAll();
  return { context, declared };
}
