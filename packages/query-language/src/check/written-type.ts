import type { TypeExpression } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { hydrateType } from '../types/hydrate.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';
import type { Scope } from './scope.ts';
import { findNamedType } from './scope.ts';

/** Resolves a written type. Undeclared names are reported and resolve to the error type. */
export function checkType(context: CheckContext, written: TypeExpression, scope: Scope): Type {
  const { type, problems } = hydrateType(written, (name) => findNamedType(scope, name));
  for (const problem of problems) report(context, problem.code, problem.spans, ...problem.details);
  return type;
}
