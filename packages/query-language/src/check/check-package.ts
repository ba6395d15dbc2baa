import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Program } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { withinTypeLimit } from '../types/within-type-limit.ts';
import type { Use } from './check-context.ts';
import type { CheckEnvironment, Need } from './environment.ts';
import { checkPackageValue } from './package-value.ts';
import type { PackageFunction } from './public-functions.ts';
import { checkPublicFunctions } from './public-functions.ts';
import { isFaulty } from './operand.ts';
import { startCheck } from './start-check.ts';

/** Result of checking a package. `type` is that of its final expression, or the record of its public data. */
export interface PackageCheck {
  readonly diagnostics: readonly Diagnostic[];
  readonly needs: readonly Need[];
  readonly type: Type | null;
  readonly functions: readonly PackageFunction[];
  readonly uses: readonly Use[];
}

/** Checks all of a package. `name` is the name it is or will be stored under; it may not import itself, even indirectly. */
export function checkPackage(program: Program, environment: CheckEnvironment, { name }: { readonly name: string }): PackageCheck {
  const empty = { needs: [], type: null, functions: [], uses: [] };
  return withinTypeLimit((program.result ?? program).span, () => checkParts(program, environment, name), empty);
}

function checkParts(program: Program, environment: CheckEnvironment, name: string): PackageCheck {
  const { context, declared } = startCheck(program, environment, [`package ${name}`]);
  const value = checkPackageValue(context, program, { scope: declared, holder: context.holder, name });
  const functions = checkPublicFunctions(context, program, declared.scope);
  const isComplete = context.diagnostics.count === 0 && context.needs.size === 0;
  return {
    diagnostics: context.diagnostics.kept,
    needs: [...context.needs.values()],
    type: isComplete && !isFaulty(value) ? value.type : null,
    functions: isComplete ? functions : [],
    uses: [...context.text.uses.values()],
  };
}
