import type { Plan } from '@svc/query-language';

import { declareInTry } from './declare-in-try.ts';
import { foldGroupSubqueries } from './fold-group-subqueries.ts';
import { inlineDeclarations } from './inline-declarations.ts';
import { pruneColumns } from './prune-columns.ts';

/**
 * The passes over a plan, in their order. Each turns a plan into one with the same value.
 *
 * 1. `prune-columns` removes unused columns: the engine binds and plans every expression of a statement at each run.
 * 2. `declare-in-try` declares fallible values again in each TRY that uses them, so that it catches their failures.
 * 3. `inline-declarations` substitutes declared values that cost no more where they are used; the others are computed once.
 * 4. `fold-group-subqueries` turns queries over a group into its aggregates, so that no list of the group is built.
 *
 * The other rewrites of this folder are applied to a SELECT when it is lowered, since they depend on its form (rows or a list)
 * and on the rows around it.
 *
 * - `top-n-per-group`: the first rows of each group are kept by an aggregate that drops the others as they arrive.
 * - `extract-nested-groups`: groupings of a group become a second grouping of its rows.
 * - `extract-aggregates`, `extract-windows`: each aggregate or window call is computed once, as a variable of its SELECT.
 * - `null-rejecting-joins`: correlated joins filter NULL keys first, since the engine would lose rows.
 */
const PASSES: readonly ((plan: Plan) => Plan)[] = [pruneColumns, declareInTry, inlineDeclarations, foldGroupSubqueries];

/** Applies all passes to a plan. */
export function rewritePlan(plan: Plan): Plan {
  return PASSES.reduce((rewritten, pass) => pass(rewritten), plan);
}
