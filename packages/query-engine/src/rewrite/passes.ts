import type { Plan } from '@svc/query-language';

import { connectSources } from './connect-sources.ts';
import { declareInTry } from './declare-in-try.ts';
import { foldGroupSubqueries } from './fold-group-subqueries.ts';
import { inlineDeclarations } from './inline-declarations.ts';
import { prepareJoinKeys } from './join-keys.ts';
import { rejectNullsInJoins } from './null-rejecting-joins.ts';
import { pruneColumns } from './prune-columns.ts';
import { pushFilters } from './push-filters.ts';
import { selectFromCalls } from './select-from-calls.ts';
import { topNPerGroup } from './top-n-per-group.ts';

/**
 * The passes over a plan, in their order. Each turns a plan into one with the same value.
 *
 * 1. `select-from-calls` turns functions of collections over rows into SELECTs, so that no list of the rows is built.
 * 2. `prune-columns` removes unused columns: the engine binds and plans every expression of a statement at each run.
 * 3. `declare-in-try` declares fallible values again in each TRY that uses them, so that it catches their failures.
 * 4. `inline-declarations` substitutes declared values that cost no more where they are used; the others are computed once.
 * 5. `push-filters` tests conditions on the rows of a query in FROM before its items, which may fail, are evaluated.
 * 6. `fold-group-subqueries` turns queries over a group into its aggregates, so that no list of the group is built.
 * 7. `top-n-per-group` makes that aggregate drop all but the first rows, as they arrive, where LIMIT says how many.
 * 8. `connect-sources` puts sources beside one another that an equality connects, so that no pairs of all rows are made.
 * 9. `join-keys` makes comparisons keys of joins and of correlated queries where the engine would compare all pairs of rows.
 * 10. `null-rejecting-joins` filters NULL keys of joins within a row, since the engine would lose rows.
 *
 * The other rewrites of this folder are applied to a SELECT when it is lowered, since they depend on its form (rows or a list)
 * and on the rows around it.
 *
 * - `extract-nested-groups`: groupings of a group become a second grouping of its rows.
 * - `extract-aggregates`, `extract-windows`: each aggregate or window call is computed once, as a variable of its SELECT.
 */
const PASSES: readonly ((plan: Plan) => Plan)[] = [
  selectFromCalls,
  pruneColumns,
  declareInTry,
  inlineDeclarations,
  pushFilters,
  foldGroupSubqueries,
  topNPerGroup,
  connectSources,
  prepareJoinKeys,
  rejectNullsInJoins,
];

/** Applies all passes to a plan. */
export function rewritePlan(plan: Plan): Plan {
  return PASSES.reduce((rewritten, pass) => pass(rewritten), plan);
}
