import type { Plan } from '@svc/query-language';
import { isFallible } from '@svc/query-language';

import { capturedVariables, type CapturedVariables, type RowParts } from '../analysis/correlation.ts';
import type { NamedSql, Sql } from '../sql/sql.ts';
import { createHoistedColumns } from './hoisted-columns.ts';
import type { LoweringContext } from './lowering-context.ts';
import type { Binding, Variables } from './scope.ts';

/** Correlated columns placed beside the rows of a subquery. */
export interface CorrelatedColumns {
  readonly columns: readonly NamedSql[];
  /** The variables in the scope of the subquery's own rows. */
  readonly variables: Variables;
}

/**
 * Returns the correlated columns that a subquery needs within lambdas: the engine's lambdas see no columns but those of
 * their own FROM. Other correlated columns stay unchanged, since the engine decorrelates by them.
 */
export function correlatedColumns(context: LoweringContext, parts: RowParts, variables: Variables): CorrelatedColumns {
  const captured = capturedVariables(parts, variables, (part) => bindsByLambda(context, part));
  if (captured.size === 0) return { columns: [], variables };
  const { columns, add } = createHoistedColumns(context);
  return { variables: rebound(variables, captured, add), columns };
}

/** Binds captured variables to added columns. */
function rebound(variables: Variables, captured: CapturedVariables, add: (sql: Sql) => Sql): Variables {
  return new Map(
    [...variables].map(([id, binding]) => {
      const uses = captured.get(id);
      return [id, uses === undefined ? binding : boundTo(binding, add, (index) => uses === 'all' || uses.has(index))];
    }),
  );
}

/** Binds a variable of a row to added columns: all of it, or some fields. */
export function boundTo(binding: Binding, add: (sql: Sql) => Sql, isUsed: (index: number) => boolean = () => true): Binding {
  if (binding.kind === 'column') return { ...binding, sql: add(binding.sql) };
  if (binding.kind !== 'row') return binding;
  const columns = binding.columns.map((column, i) => (isUsed(i) ? add(column) : column));
  return { ...binding, columns, present: binding.present === null ? null : add(binding.present) };
}

/** Kinds whose SQL has no lambda around an operand. */
const WITHOUT_LAMBDA = new Set<Plan['kind']>(['Comparison', 'Not', 'IsNull', 'Field', 'Convert', 'Cast', 'Case', 'Coalesce', 'Aggregate']);

/** Returns whether the SQL of a part may have a lambda around its operands. */
function bindsByLambda(context: LoweringContext, part: Plan): boolean {
  if (context.environment.hasErrorPositions === true) return true;
  const isConcatenation = part.kind === 'Arithmetic' && part.operator === 'concatenate';
  // Values that the program makes long are bounded: their parts are in a lambda.
  if (isConcatenation || part.kind === 'RecordLiteral' || part.kind === 'CollectionLiteral') return context.longValues.isLong(part);
  if (part.kind === 'In') return part.collection.kind !== 'CollectionLiteral';
  if (part.kind === 'Logical') return isFallible(part);
  if (part.kind === 'Call') return part.arguments.length > 1;
  if (part.kind !== 'Arithmetic') return !WITHOUT_LAMBDA.has(part.kind);
  const isDecimal = part.type.kind !== 'PrimitiveType' || part.type.name === 'decimal';
  return isDecimal || part.operator === 'divide' || part.operator === 'modulo';
}
