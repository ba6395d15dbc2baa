import type { Call, Case, Comparison, Constant, In, Let, Plan, Type, Variable } from '@svc/query-language';

import { duckType } from '../representation/duck-type.ts';
import { memberNames } from '../representation/member-names.ts';
import { quoteIdentifier, quoteText } from '../representation/sql-text.ts';
import { canFail } from './can-fail.ts';
import { FUNCTION_LOWERINGS } from './functions/index.ts';
import { collectionValue } from './collection-value.ts';
import type { LoweringContext, Scope } from './lowering-context.ts';
import { callContext, freshName, parameterSql } from './lowering-context.ts';
import type { LoweredArgument } from './lowering-types.ts';
import { LoweringUnsupported } from './lowering-unsupported.ts';
import { lowerArithmetic } from './scalars/lower-arithmetic.ts';
import { lowerCast } from './scalars/lower-cast.ts';
import { lowerComparison } from './scalars/lower-comparison.ts';
import { lowerConstant } from './scalars/lower-constant.ts';
import { lowerConvert } from './scalars/lower-convert.ts';
import { lowerLike } from './scalars/lower-like.ts';
import { lowerNavigate } from './scalars/lower-navigate.ts';
import { bindOnce } from './scalars/bind-once.ts';
import { lowerWindow } from './select/window.ts';
import { substitute } from './variables.ts';

/** The SQL expression of a plan's value. The switch only dispatches. */
export function lowerValue(context: LoweringContext, plan: Plan, scope: Scope): string {
  const value = (part: Plan): string => lowerValue(context, part, scope);
  const call = callContext(context, plan, { functionName: plan.kind, overload: '' });
  switch (plan.kind) {
    case 'Constant': return lowerConstant(plan);
    case 'Parameter': return parameterSql(context, plan);
    case 'Variable': return lowerVariable(context, plan, scope);
    case 'Let': return lowerLet(context, plan, scope);
    case 'Convert': return lowerConvert(value(plan.operand), plan.operand.type, plan.type);
    case 'Cast': return lowerCast(value(plan.operand), plan.operand.type, plan.type, plan.isTry, call);
    case 'Try': return lowerTry(value(plan.operand), plan);
    case 'Arithmetic': return lowerArithmetic(plan, plan.operands.map(value), call);
    case 'Comparison': return lowerCompared(plan, value);
    case 'Logical': return lowerLogical(plan.operator, plan.operands, value);
    case 'Not': return `(NOT ${value(plan.operand)})`;
    case 'IsNull': return isNull(plan.operand, scope, value);
    case 'In': return lowerIn(plan, value);
    case 'Like': return lowerLike({
      operand: value(plan.operand), pattern: value(plan.pattern), escape: plan.escape === null ? null : value(plan.escape), isCaseInsensitive: plan.isCaseInsensitive,
    }, call);
    case 'Case': return lowerCase(plan, value);
    case 'Coalesce': return `coalesce(${plan.operands.map(value).join(', ')})`;
    case 'RecordLiteral': return packRecord(plan.type, plan.values.map(value));
    case 'Field': return lowerField(context, plan.target, plan.index, scope);
    case 'Navigate': return lowerNavigate(value(plan.target), {
      sql: value(plan.key), isText: plan.key.type.kind === 'PrimitiveType' && plan.key.type.name === 'string', constant: constantOf(plan.key),
    });
    case 'Element': return elementAt(value(plan.target), value(plan.index), constantOf(plan.index));
    case 'CollectionLiteral': return `CAST([${plan.elements.map(value).join(', ')}] AS ${duckType(plan.type)})`;
    case 'Call': return lowerCall(context, plan, scope);
    case 'Reduce': throw new LoweringUnsupported('REDUCE', plan.span);
    case 'Read': case 'TableScan': case 'SetOperation': case 'Select': return collectionValue(context, plan, scope);
    case 'WindowCall': return lowerWindow(context, plan, scope);
    case 'Aggregate': throw new LoweringUnsupported(`${plan.function} here`, plan.span);
    default: return plan satisfies never;
  }
}

/** The value of a constant; undefined for what is none. */
export function constantOf(plan: Plan): Constant['value'] | undefined {
  return plan.kind === 'Constant' ? plan.value : undefined;
}

/** A STRUCT of the values of a record's fields; the empty record is TRUE. */
export function packRecord(type: Type, values: readonly string[]): string {
  if (type.kind !== 'RecordType') throw new Error('a record has a record type');
  if (values.length === 0) return 'TRUE';
  const names = memberNames(type.fields);
  return `struct_pack(${values.map((sql, i) => `${quoteIdentifier(names[i] ?? '')} := ${sql}`).join(', ')})`;
}

function lowerVariable(context: LoweringContext, plan: Variable, scope: Scope): string {
  const binding = scope.get(plan.id);
  if (binding === undefined) throw new Error(`variable ${plan.id} is not bound`);
  if (binding.kind === 'sql') return binding.sql;
  if (binding.kind === 'relation') return collectionValue(context, plan, scope);
  const record = packRecord(plan.type, binding.columns);
  return binding.present === null ? record : `CASE WHEN ${binding.present} IS NOT NULL THEN ${record} END`;
}

function lowerField(context: LoweringContext, target: Plan, index: number, scope: Scope): string {
  if (target.kind === 'Variable') {
    const binding = scope.get(target.id);
    const column = binding?.kind === 'row' ? binding.columns[index] : undefined;
    if (column !== undefined) return column;
  }
  if (target.type.kind !== 'RecordType') throw new Error('only a record has fields');
  const name = memberNames(target.type.fields)[index] ?? '';
  return `struct_extract(${lowerValue(context, target, scope)}, ${quoteText(name)})`;
}

function isNull(operand: Plan, scope: Scope, value: (part: Plan) => string): string {
  const binding = operand.kind === 'Variable' ? scope.get(operand.id) : undefined;
  if (binding?.kind === 'row') return binding.present === null ? 'FALSE' : `(${binding.present} IS NULL)`;
  return `(${value(operand)} IS NULL)`;
}

function lowerCompared(plan: Comparison, value: (part: Plan) => string): string {
  return lowerComparison(plan.operator, value(plan.left), value(plan.right));
}

/** A value that fails in the right operand must not be evaluated where the left one decides: the engine keeps to that in CASE only. */
function lowerLogical(operator: 'and' | 'or', operands: readonly Plan[], value: (part: Plan) => string): string {
  const word = operator === 'and' ? ' AND ' : ' OR ';
  if (!operands.slice(1).some(canFail)) return `(${operands.map(value).join(word)})`;
  const [first, ...rest] = operands;
  if (first === undefined) throw new Error('there is nothing to join');
  return rest.reduce((left, operand) => {
    const right = value(operand);
    const decided = operator === 'and' ? 'FALSE' : 'TRUE';
    return bindOnce([left], (a) => `CASE WHEN ${a} IS NOT DISTINCT FROM ${decided} THEN ${decided} ELSE (${a}${word}${right}) END`);
  }, value(first));
}

/** IN with the three values of SQL. */
function lowerIn(plan: In, value: (part: Plan) => string): string {
  const { collection } = plan;
  if (collection.kind === 'CollectionLiteral' && collection.elements.length > 0) return `(${value(plan.operand)} IN (${collection.elements.map(value).join(', ')}))`;
  const mayHoldNull = collection.type.kind === 'CollectionType' && collection.type.element.isNullable;
  const isNullable = plan.operand.type.isNullable || collection.type.isNullable || mayHoldNull;
  return bindOnce([value(collection), value(plan.operand)], (list, operand) => {
    if (!isNullable) return `list_contains(${list}, ${operand})`;
    return `CASE WHEN ${list} IS NULL THEN NULL WHEN len(${list}) = 0 THEN FALSE WHEN ${operand} IS NULL THEN NULL WHEN list_contains(${list}, ${operand}) THEN TRUE`
      + ` WHEN len(${list}) > list_count(${list}) THEN NULL ELSE FALSE END`;
  });
}

function lowerCase(plan: Case, value: (part: Plan) => string): string {
  const branches = plan.branches.map(({ when, then }) => `WHEN ${value(when)} THEN ${value(then)}`);
  return `CASE ${branches.join(' ')} ELSE ${value(plan.otherwise)} END`;
}

/** NULL where the operand fails; a sub-query inside cannot be tried by the engine. */
function lowerTry(sql: string, plan: Plan): string {
  if (holdsSubquery(sql)) throw new LoweringUnsupported('TRY around a query', plan.span);
  return `TRY(${sql.replaceAll(/CAST\(error\('E\d+'\) AS/g, "CAST(CAST('fails' AS INTEGER) AS")})`;
}

/** Whether SQL holds a sub-query: such SQL has no place in a lambda of the engine. */
export function holdsSubquery(sql: string): boolean {
  return /\(\s*(?:SELECT|WITH)\b/.test(sql.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, "''"));
}

/** Element of a list from 0; the engine counts from 1 and takes negative positions from the end. */
function elementAt(list: string, index: string, constant: Constant['value'] | undefined): string {
  if (typeof constant === 'string') return Number(constant) < 0 ? `CASE WHEN FALSE THEN list_extract(${list}, 1) END` : `list_extract(${list}, ${Number(constant) + 1})`;
  return bindOnce([list, index], (l, i) => `CASE WHEN ${i} >= 0 AND ${i} < 4611686018427387904 THEN list_extract(${l}, ${i} + 1) END`);
}

/** A value that is bound for a row: evaluated once where no sub-query is in the way. */
function lowerLet(context: LoweringContext, plan: Let, scope: Scope): string {
  const name = freshName(context, 'v');
  const sql = lowerValue(context, plan.value, scope);
  const body = lowerValue(context, plan.body, new Map(scope).set(plan.id, { kind: 'sql', sql: name }));
  if (!new RegExp(`\\b${name}\\b`).test(body)) return body;
  if (!holdsSubquery(body)) return `list_extract(list_transform([${sql}], lambda ${name}: ${body}), 1)`;
  return lowerValue(context, substitute(plan.body, plan.id, plan.value), scope);
}

function lowerCall(context: LoweringContext, plan: Call, scope: Scope): string {
  const lowering = FUNCTION_LOWERINGS[plan.function];
  if (lowering === undefined) throw new LoweringUnsupported(plan.function, plan.span);
  const args = plan.arguments.map((argument): LoweredArgument => ({ sql: lowerValue(context, argument, scope), type: argument.type, constant: constantOf(argument) }));
  return lowering(args, callContext(context, plan, { functionName: plan.function, overload: plan.overload }));
}
