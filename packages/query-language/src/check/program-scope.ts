import type { Program } from '../syntax/ast.ts';
import type { CheckContext } from './check-context.ts';
import type { DeclarationScope } from './declaration.ts';
import { openDeclarations } from './declaration.ts';
import { openImports } from './import.ts';
import type { LetHolder } from './let-holder.ts';

/** Opens the scope of a program: its imports and declarations, unchecked. */
export function openProgram(context: CheckContext, program: Program, holder: LetHolder): DeclarationScope {
  return openDeclarations(context, program.declarations, openImports(context, program), holder);
}
