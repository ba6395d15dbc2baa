import type { Call, Cast, Field, Navigate, Noted, Plan, Type, Variable } from '@svc/query-language';
import { assertNever, findFunction, ownValue } from '@svc/query-language';

import { constantOf } from '../analysis/constant-of.ts';
import { dependsOnRow } from '../analysis/correlation.ts';
import { isDecimal } from '../analysis/number-types.ts';
import { isSemiJoin } from '../analysis/relational-analysis.ts';
import { bindingOf } from '../analysis/scope-bindings.ts';
import { duckType } from '../representation/duck-type.ts';
import { memberNames } from '../representation/member-names.ts';
import { castTo, joinSql, NULL, SQL, textLiteral, type Sql } from '../sql/sql.ts';
import { collectionValue } from './collection-value.ts';
import { lowerCase, lowerCoalesce, lowerLogical } from './conditions.ts';
import { growing } from './functions/function-parts.ts';
import { FUNCTION_LOWERINGS } from './functions/index.ts';
import { lowerAtTimeZone } from './lower-at-time-zone.ts';
import { comparedDecimals } from './lower-digits.ts';
import { lowerLet } from './lower-let.ts';
import { lowerReduce } from './lower-reduce.ts';
import { lowerTry } from './lower-try.ts';
import type { LoweringContext } from './lowering-context.ts';
import { callContext, parameterSql } from './lowering-context.ts';
import type { CallContext, LoweredArgument } from './lowering-types.ts';
import { LoweringUnsupported } from './lowering-unsupported.ts';
import { lowerExists, lowerIn } from './membership.ts';
import { checkLimit } from './plan-limits.ts';
import { comparedAs } from './scalars/comparable.ts';
import { lowerKept, lowerScaledCall, storedColumn, storedDecimal } from './scalars/decimal-scale.ts';
import { elementAt } from './scalars/element-at.ts';
import { limitedValue, sizeOfAll, type LoweredOperand } from './scalars/limited-value.ts';
import { lowerCast, lowerWidening } from './scalars/lower-cast.ts';
import { lowerComparison } from './scalars/lower-comparison.ts';
import { lowerConstant } from './scalars/lower-constant.ts';
import { lowerLike } from './scalars/lower-like.ts';
import { isPointerStep, lowerMembers, lowerNavigate } from './scalars/lower-navigate.ts';
import { packRecord } from './scalars/pack-record.ts';
import type { Scope } from './scope.ts';
import { evaluatedPer } from './scope.ts';
import { limitedContext, noteLongValue, valueLimits } from './value-limits.ts';
import { visiblyFallible } from './visible-failure.ts';
import { withErrorPositions } from './with-error-positions.ts';

/** The SQL expression of a plan's value. */
export function lowerValue(context: LoweringContext, plan: Plan, scope: Scope): Sql {
  noteLongValue(context, plan, scope);
  const sql = scope.isKeptApart || !context.isAmbiguousInterval(plan) ? valueSql(context, plan, scope) : keptApart(context, plan, scope);
  checkLimit('characters', sql.size, plan.span);
  return sql;
}

/** Lowers an interval that the engine must not replace by another of the same length. Within TRY it allows no volatile function. */
function keptApart(context: LoweringContext, plan: Plan, scope: Scope): Sql {
  if (scope.isInTry) throw new LoweringUnsupported(AMBIGUOUS_IN_TRY, plan.span);
  return SQL`CASE WHEN random() >= 0 THEN ${valueSql(context, plan, { ...scope, isKeptApart: true })} END`;
}

const AMBIGUOUS_IN_TRY =
  'TRY cannot hold an interval that is as long as another of the program, but of other units, as 30 days and 1 month: write it outside of TRY';

/** The switch only dispatches. */
function valueSql(context: LoweringContext, plan: Plan, scope: Scope): Sql {
  const value = (part: Plan): Sql => lowerValue(context, part, scope);
  const call = callContext(context, plan, plan.kind, scope);
  switch (plan.kind) {
    case 'Constant':
      return storedDecimal(plan, lowerConstant(plan), scope, call);
    case 'Parameter':
      return parameterSql(context, plan);
    case 'Variable':
      return storedDecimal(plan, lowerVariable(context, plan, scope), scope, call);
    case 'Let':
      return lowerLet(context, plan, scope);
    case 'Convert':
      return lowerWidening(value(plan.operand), plan.operand.type, plan.type, call);
    case 'Cast':
      return castValue(context, plan, scope, call);
    case 'Try':
      return lowerTry(context, plan, scope);
    case 'Noted':
      return lowerNoted(context, plan, scope);
    case 'Arithmetic':
      return storedDecimal(plan, context.lowerDigits(plan, scope), scope, call);
    case 'Comparison': {
      const side = comparedAs([plan.left, plan.right], isDecimal(plan.left.type) ? comparedDecimals(context, plan, scope) : value);
      return lowerComparison(plan.operator, side(plan.left), side(plan.right));
    }
    case 'Logical':
      return lowerLogical(context, plan, scope);
    case 'Not':
      return SQL`(NOT ${value(plan.operand)})`;
    case 'IsNull':
      return isNull(context, plan.operand, scope);
    case 'In':
      return lowerIn(context, plan, scope);
    case 'Like':
      return lowerLike(
        {
          operand: value(plan.operand),
          pattern: value(plan.pattern),
          patternText: textOf(plan.pattern),
          escape: plan.escape === null ? null : value(plan.escape),
          isCaseInsensitive: plan.isCaseInsensitive,
        },
        call,
      );
    case 'Case':
      return lowerCase(context, plan, scope);
    case 'Coalesce':
      return lowerCoalesce(context, plan, scope);
    case 'RecordLiteral':
      return limitedValue(limitedContext(context, plan, 'the record', scope), lowered(context, plan.values, scope), (names) =>
        packRecord(plan.type, names),
      );
    case 'Field':
      return storedDecimal(plan, lowerField(context, plan, scope), scope, call);
    case 'Navigate':
      return lowerNavigation(context, plan, scope);
    case 'Element':
      return typed(plan.type, elementAt(value(plan.target), value(plan.index), constantOf(plan.index)));
    case 'CollectionLiteral':
      return limitedValue(limitedContext(context, plan, 'the collection', scope), lowered(context, plan.elements, scope), (names) =>
        castTo(SQL`[${joinSql(names)}]`, duckType(plan.type)),
      );
    case 'Call':
      return lowerCall(context, plan, scope);
    case 'Reduce':
      return lowerReduce(context, plan, scope);
    case 'Read':
    case 'TableScan':
    case 'SetOperation':
    case 'Select':
      return collectionValue(context, plan, scope);
    case 'Aggregate':
      throw new Error('an aggregate is lowered with its SELECT');
    case 'WindowCall':
      throw new LoweringUnsupported(
        `${plan.function} cannot stand in a source of a query within its SELECT: compute it in a SELECT that is the source of this one`,
        plan.span,
      );
    default:
      return assertNever(plan);
  }
}

function lowered(context: LoweringContext, plans: readonly Plan[], scope: Scope): readonly LoweredOperand[] {
  return plans.map((plan) => ({ sql: lowerValue(context, plan, scope), type: plan.type }));
}

function castValue(context: LoweringContext, plan: Cast, scope: Scope, call: CallContext): Sql {
  const { operand, type, isTry } = plan;
  const value = isDecimal(type) ? lowerValue(context, operand, scope) : lowerKept(context, operand, scope).sql;
  const sql = lowerCast(value, operand.type, type, isTry, call);
  return type.kind === 'PrimitiveType' ? sql : visiblyFallible(plan, sql, scope);
}

/** Returns the text of a constant pattern. */
function textOf(pattern: Plan): string | undefined {
  const text = constantOf(pattern);
  return typeof text === 'string' ? text : undefined;
}

/** Lowers access to an `any`. Members of members by constant names are one step. */
function lowerNavigation(context: LoweringContext, plan: Navigate, scope: Scope): Sql {
  const { names, target } = memberPath(plan);
  if (names.length > 0) return lowerMembers(lowerValue(context, target, scope), names);
  return lowerNavigate(lowerValue(context, plan.target, scope), {
    sql: lowerValue(context, plan.key, scope),
    isText: isText(plan.key),
    constant: constantOf(plan.key),
  });
}

interface MemberPath {
  readonly target: Plan;
  readonly names: readonly string[];
}

/** Returns the constant names that lead from a target to a member, from the outside in; none if the last step is another one. */
function memberPath(plan: Plan): MemberPath {
  const name = plan.kind === 'Navigate' && isText(plan.key) ? constantOf(plan.key) : undefined;
  if (plan.kind !== 'Navigate' || typeof name !== 'string' || !isPointerStep(name)) return { target: plan, names: [] };
  const below = memberPath(plan.target);
  return { ...below, names: [...below.names, name] };
}

function isText({ type }: Plan): boolean {
  return type.kind === 'PrimitiveType' && type.name === 'string';
}

/**
 * Lowers a use of a shared value: hoisted beside the row if the expression allows no subquery, or if the value is long,
 * since vectors are split then.
 */
function sharedValue(context: LoweringContext, plan: Variable, scope: Scope, sql: Sql): Sql {
  const isColumn = scope.lambda !== null || context.longValues.isLong(plan);
  return isColumn ? scope.hoisted.add(sql, { holdsSubquery: true }) : sql;
}

function lowerVariable(context: LoweringContext, plan: Variable, scope: Scope): Sql {
  const binding = scope.variables.get(plan.id);
  if (binding === undefined) throw new Error(`variable ${plan.id} is not bound`);
  switch (binding.kind) {
    case 'column':
      return binding.sql;
    case 'shared':
      return sharedValue(context, plan, scope, binding.sql);
    case 'relation':
      if (evaluatedPer(scope) !== 'statement') context.makesLongValues = true;
      return collectionValue(context, plan, scope);
    case 'row': {
      const columns = binding.columns.map((column, i) => storedColumn(column, binding.scales[i]));
      const record = packRecord(plan.type, columns);
      return binding.present === null ? record : SQL`CASE WHEN ${binding.present} IS NOT NULL THEN ${record} END`;
    }
    default:
      return assertNever(binding);
  }
}

function lowerField(context: LoweringContext, { target, index }: Field, scope: Scope): Sql {
  if (target.type.kind !== 'RecordType') throw new Error('only a record has fields');
  const binding = bindingOf(target, scope);
  const column = binding?.kind === 'row' ? binding.columns[index] : undefined;
  if (column !== undefined) return column;
  if (target.kind === 'RecordLiteral') {
    const value = target.values[index];
    if (value !== undefined) return lowerValue(context, value, scope);
  }
  const name = memberNames(target.type.fields)[index] ?? '';
  const sql = SQL`struct_extract(${lowerValue(context, target, scope)}, ${textLiteral(name)})`;
  const type = target.type.fields[index]?.type;
  return type === undefined || dependsOnRow(target, scope) ? sql : typed(type, sql);
}

function isNull(context: LoweringContext, operand: Plan, scope: Scope): Sql {
  const binding = bindingOf(operand, scope);
  if (binding?.kind === 'row' && binding.present !== null) return SQL`(${binding.present} IS NULL)`;
  return SQL`(${lowerKept(context, operand, scope).sql} IS NULL)`;
}

/** Adds a type: the engine gives none to a part of a constant NULL. */
function typed(type: Type, sql: Sql): Sql {
  return castTo(sql, duckType(type));
}

function lowerCall(context: LoweringContext, plan: Call, scope: Scope): Sql {
  if (plan.function === 'AT TIME ZONE') return lowerAtTimeZone(context, plan, scope);
  const scaled = lowerScaledCall(plan, scope, (argument) => context.lowerDigits(argument, scope));
  if (scaled !== undefined) {
    const call = callContext(context, plan, plan.kind, scope);
    return isDecimal(plan.type) ? storedDecimal(plan, scaled.sql, scope, call) : call.castLine(castTo(scaled.sql, duckType(plan.type)));
  }
  if (isSemiJoin(plan, scope.variables) && scope.lambda === null) return lowerExists(context, plan, scope);
  const lowering = ownValue(FUNCTION_LOWERINGS, plan.function);
  if (lowering === undefined) throw new Error(`${plan.function} has no lowering`);
  const operands = plan.arguments.map((argument) => lowerValue(context, argument, scope));
  return withErrorPositions(context, plan, scope, operands, (sqls, at) => {
    const args = plan.arguments.map((argument, i): LoweredArgument => ({
      sql: sqls[i] ?? NULL,
      type: argument.type,
      constant: constantOf(argument),
    }));
    const call = { ...at, functionName: plan.function, limits: valueLimits(context, plan, scope) };
    const { growth } = findFunction(plan.function) ?? {};
    if (typeof growth !== 'number') return lowering(args, call);
    return growing((all) => SQL`(${sizeOfAll(all)(all.map(({ sql }) => sql))}) * ${growth}`, lowering)(args, call);
  });
}

/** Lowers the operand so that its failures are recorded under the key instead of being raised. */
function lowerNoted(context: LoweringContext, { operand, key }: Noted, scope: Scope): Sql {
  const around = context.noteKey;
  const noteKey = context.lowerValue(key, scope);
  context.noteKey = noteKey;
  try {
    return context.lowerValue(operand, scope);
  } finally {
    context.noteKey = around;
  }
}
