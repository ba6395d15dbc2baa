import type { Plan, VariableId } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

import { canFail } from './can-fail.ts';
import { LONG } from './growth/value-sizes.ts';
import type { LoweringContext } from './lowering-context.ts';
import { isGuardable, needsSubquery } from './plan-form.ts';
import type { Binding, Variables } from './scope.ts';
import { createPrelude } from './scope.ts';

/** Expressions evaluated on rows. */
export interface RowParts {
  readonly plain: readonly Plan[];
  /** Expressions within lambdas as a whole. */
  readonly inLambdas: readonly Plan[];
}

/** Correlated columns placed beside the rows of a subquery. */
export interface OuterColumns {
  readonly columns: readonly { readonly name: string; readonly sql: string }[];
  /** The variables in the scope of the subquery's own rows. */
  readonly variables: Variables;
}

/**
 * Returns the correlated columns that a subquery needs within lambdas: the engine's lambdas see no columns but those of
 * their own FROM. Other correlated columns stay unchanged, since the engine decorrelates by them.
 */
export function outerColumns(context: LoweringContext, parts: RowParts, variables: Variables): OuterColumns {
  const captured = capturedBy(context, parts, variables);
  if (captured.size === 0) return { columns: [], variables };
  const { columns, add } = createPrelude(context);
  return { variables: rebound(variables, captured, add), columns };
}

/** The places of the fields that are used, or all. */
type Uses = Map<VariableId, Set<number> | 'all'>;

/** The variables of one place are those of many values in sight: each is rebound once. */
function rebound(variables: Variables, captured: Uses, add: (sql: string) => string, known = new Map<Variables, Variables>()): Variables {
  const moved = (binding: Binding, uses: Set<number> | 'all' | undefined): Binding => {
    if (binding.kind === 'plan') return { ...binding, variables: rebound(binding.variables, captured, add, known) };
    if (uses === undefined || (binding.kind !== 'sql' && binding.kind !== 'row')) return binding;
    if (binding.kind === 'sql') return { ...binding, sql: add(binding.sql) };
    return {
      ...binding,
      columns: binding.columns.map((column, i) => (uses === 'all' || uses.has(i) ? add(column) : column)),
      present: binding.present === null ? null : add(binding.present),
    };
  };
  const made = known.get(variables) ?? new Map([...variables].map(([id, binding]) => [id, moved(binding, captured.get(id))]));
  known.set(variables, made);
  return made;
}

function capturedBy(context: LoweringContext, parts: RowParts, variables: Variables): Uses {
  const found: Uses = new Map();
  const isLocated = context.environment.isLocated === true;
  const use = (id: VariableId, field: number | null, at: Variables, isCaptured: boolean): void => {
    const binding = at.get(id);
    if (binding?.kind === 'plan') visit(binding.plan, binding.variables, isCaptured);
    if (!isCaptured || (binding?.kind !== 'sql' && binding?.kind !== 'row')) return;
    const known = found.get(id);
    if (field === null) found.set(id, 'all');
    else if (known !== 'all') found.set(id, new Set([...(known ?? []), field]));
  };
  const visit = (part: Plan, at: Variables, isCaptured: boolean): void => {
    if (part.kind === 'Variable') use(part.id, null, at, isCaptured);
    else if (part.kind === 'Field' && part.target.kind === 'Variable') use(part.target.id, part.index, at, isCaptured);
    else if (!isCaptured && part.kind === 'Select' && needsSubquery(part, at) && !isGuardable(part, { variables: at })) {
      // A nested subquery handles its own columns, except for its bounds, which slice the list of its rows.
      for (const bound of [part.limit, part.offset]) if (bound !== null) visit(bound, at, true);
    } else {
      const isInside = isCaptured || isLocated || mayBindByLambda(context, part);
      mapChildren(part, (child) => {
        visit(child, at, isInside);
        return child;
      });
    }
  };
  for (const part of parts.plain) visit(part, variables, false);
  for (const part of parts.inLambdas) visit(part, variables, true);
  return found;
}

/** Kinds whose SQL has no lambda around an operand. */
const WITHOUT_LAMBDA = new Set<Plan['kind']>(['Comparison', 'Not', 'IsNull', 'Field', 'Convert', 'Cast', 'Case', 'Coalesce', 'Aggregate']);

/** Returns whether the SQL of a part may have a lambda around its operands. */
function mayBindByLambda(context: LoweringContext, part: Plan): boolean {
  const isConcatenation = part.kind === 'Arithmetic' && part.operator === 'concatenate';
  // Values that the program makes long are bounded: their parts are in a lambda.
  if (isConcatenation || part.kind === 'RecordLiteral' || part.kind === 'CollectionLiteral') return context.sizes.sizeOf(part) > LONG;
  if (part.kind === 'In') return part.collection.kind !== 'CollectionLiteral';
  if (part.kind === 'Logical') return canFail(part);
  if (part.kind === 'Call') return part.arguments.length > 1;
  if (part.kind !== 'Arithmetic') return !WITHOUT_LAMBDA.has(part.kind);
  const isDecimal = part.type.kind !== 'PrimitiveType' || part.type.name === 'decimal';
  return isDecimal || part.operator === 'divide' || part.operator === 'modulo';
}
