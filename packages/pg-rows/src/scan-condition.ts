import type { Comparison, Constant, In, Plan, PrimitiveName, Type, VariableId } from '@svc/query-language';
import { findFunction, isFallible, ownValue } from '@svc/query-language';

import { patternStart, textsFrom, type PatternStart } from './text-start.ts';

/** A condition on fields of a row. */
export type ScanCondition = FieldCondition | AnyOf;

/** At least one of several lists of conditions is met, with all that are in it. */
export interface AnyOf {
  readonly kind: 'any';
  readonly alternatives: readonly (readonly ScanCondition[])[];
}

/** A condition on one field that PostgreSQL decides as the engine does. */
export type FieldCondition =
  | {
      readonly kind: 'compare';
      readonly field: number;
      readonly operator: ScanOperator;
      /** SQL of PostgreSQL. */
      readonly value: string;
      /** Value of that SQL constant. */
      readonly constant: ScanConstant;
    }
  | { readonly kind: 'in'; readonly field: number; readonly values: readonly string[]; readonly constants: readonly ScanConstant[] }
  | { readonly kind: 'null'; readonly field: number; readonly isNull: boolean };

/** A constant of the language. */
export interface ScanConstant {
  readonly type: PrimitiveName;
  readonly text: string;
}

/** Comparison operator of PostgreSQL between a column and a value. */
export type ScanOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Conditions on one row. */
export interface LeadingConditions {
  readonly conditions: readonly ScanCondition[];
  /** True if they are all that was asked: no condition is left to the engine. */
  readonly isAll: boolean;
}

/**
 * Returns the conditions of a WHERE or an ON on a row. Those after a condition that may fail are left to the engine: a row
 * that they drop may be meant to fail.
 */
export function leadingConditions(where: Plan | null, row: VariableId): LeadingConditions {
  const conditions: ScanCondition[] = [];
  let isAll = true;
  for (const conjunct of where === null ? [] : conjunctsOf(where)) {
    const found = conditionsOf(conjunct, row);
    conditions.push(...found.conditions);
    isAll &&= found.isAll;
    if (!found.isAll && isFallible(conjunct)) break;
  }
  return { conditions, isAll };
}

function conditionsOf(conjunct: Plan, row: VariableId): LeadingConditions {
  const beginning = beginningOf(conjunct);
  if (beginning !== null) return beginningConditions(beginning, row);
  if (conjunct.kind !== 'Logical') {
    const condition = conditionOf(conjunct, row);
    return { conditions: condition === null ? [] : [condition], isAll: condition !== null };
  }
  const alternatives = conjunct.operands.map((operand) => leadingConditions(operand, row));
  return {
    conditions: anyOf(alternatives.map(({ conditions }) => conditions)),
    isAll: alternatives.every(({ isAll }) => isAll),
  };
}

/** Returns the condition that one of several lists is met; none if nothing is known of one of them. */
export function anyOf(alternatives: readonly (readonly ScanCondition[])[]): readonly ScanCondition[] {
  return alternatives.every(({ length }) => length > 0) ? [{ kind: 'any', alternatives }] : [];
}

/** Returns a condition with the indexes of other fields; null if one of its fields has none. */
export function onFields(condition: ScanCondition, indexOf: (field: number) => number | null): ScanCondition | null {
  if (condition.kind !== 'any') {
    const field = indexOf(condition.field);
    return field === null ? null : { ...condition, field };
  }
  const alternatives = condition.alternatives.map((conditions) => conditions.map((part) => onFields(part, indexOf)));
  const found = alternatives.map((conditions) => conditions.filter((part) => part !== null));
  return found.some(({ length }, i) => length < (alternatives[i]?.length ?? 0)) ? null : { kind: 'any', alternatives: found };
}

/** Returns whether a row whose fields are all NULL does not meet a condition. */
export function rejectsNull(condition: ScanCondition): boolean {
  if (condition.kind === 'any') return condition.alternatives.every((conditions) => conditions.some(rejectsNull));
  return condition.kind !== 'null' || !condition.isNull;
}

/** Fields of two rows that are equal. */
export interface EqualFields {
  readonly left: number;
  readonly right: number;
}

/** Returns the fields of two rows that a WHERE or an ON requires to be equal, and of which conditions are the same. */
export function equalFields(where: Plan | null, left: VariableId, right: VariableId): readonly EqualFields[] {
  return (where === null ? [] : conjunctsOf(where)).flatMap((conjunct) => {
    if (conjunct.kind !== 'Comparison' || conjunct.operator !== '=') return [];
    const sides = [conjunct.left, conjunct.right];
    const [ofLeft, ofRight] = [left, right].map((row) => sides.map((side) => comparableField(side, row)).find((field) => field !== null));
    if (ofLeft === undefined || ofRight === undefined || !isSameOrWider(ofLeft.type, ofRight.type)) return [];
    return [{ left: ofLeft.index, right: ofRight.index }];
  });
}

function conjunctsOf(condition: Plan): readonly Plan[] {
  return condition.kind === 'Logical' && condition.operator === 'and' ? condition.operands.flatMap(conjunctsOf) : [condition];
}

function conditionOf(plan: Plan, row: VariableId): ScanCondition | null {
  if (plan.kind === 'Comparison') return comparisonOf(plan, row);
  if (plan.kind === 'In') return membershipOf(plan, row);
  if (plan.kind === 'IsNull') return nullOf(plan.operand, row, { isNull: true });
  if (plan.kind !== 'Not') return boolOf(plan, row, true);
  return plan.operand.kind === 'IsNull' ? nullOf(plan.operand.operand, row, { isNull: false }) : boolOf(plan.operand, row, false);
}

/** A text, and how it must begin. */
interface Beginning extends PatternStart {
  readonly text: Plan;
}

/** Returns the beginning that `LIKE` with a constant pattern, or a function that asks it, has for a text; null for other plans. */
function beginningOf(plan: Plan): Beginning | null {
  if (plan.kind === 'Like' && plan.escape === null && !plan.isCaseInsensitive) {
    const pattern = constantText(plan.pattern);
    return pattern === null ? null : { text: plan.operand, ...patternStart(pattern) };
  }
  const [text, argument] = plan.kind === 'Call' && findFunction(plan.function)?.asksStart === true ? plan.arguments : [];
  const start = argument === undefined ? null : constantText(argument);
  return text === undefined || start === null ? null : { text, start, rest: 'anything' };
}

function constantText(plan: Plan): string | null {
  const constant = constantOf(plan);
  return constant !== null && isPrimitive(constant.type, 'string') && typeof constant.value === 'string' ? constant.value : null;
}

function beginningConditions({ text, start, rest }: Beginning, row: VariableId): LeadingConditions {
  const field = comparableField(text, row);
  if (field === null || start.includes('\0') || (start === '' && rest !== 'nothing')) return { conditions: [], isAll: false };
  const compared = (operator: ScanOperator, value: string): ScanCondition => {
    return { kind: 'compare', field: field.index, operator, value: quoted(value), constant: { type: 'string', text: value } };
  };
  if (rest === 'nothing') return { conditions: [compared('=', start)], isAll: true };
  const { from, before } = textsFrom(start);
  return { conditions: [compared('>=', from), ...(before === null ? [] : [compared('<', before)])], isAll: rest === 'anything' };
}

function boolOf(plan: Plan, row: VariableId, value: boolean): ScanCondition | null {
  const field = plan.kind === 'Field' || plan.kind === 'Variable' ? comparableField(plan, row) : null;
  const constant = { type: 'bool', text: String(value) } as const;
  return field === null ? null : { kind: 'compare', field: field.index, operator: '=', value: String(value), constant };
}

function nullOf(operand: Plan, row: VariableId, { isNull }: { readonly isNull: boolean }): ScanCondition | null {
  const field = comparableField(operand, row);
  return field === null ? null : { kind: 'null', field: field.index, isNull };
}

function membershipOf({ operand, collection }: In, row: VariableId): ScanCondition | null {
  const field = comparableField(operand, row);
  if (field === null || collection.kind !== 'CollectionLiteral') return null;
  const literals = collection.elements.map((element) => literalOf(element, field.type)).filter((literal) => literal !== null);
  if (literals.length < collection.elements.length) return null;
  return {
    kind: 'in',
    field: field.index,
    values: literals.map(({ value }) => value),
    constants: literals.map((literal) => literal.constant),
  };
}

const MIRRORED: Readonly<Record<string, ScanOperator>> = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function comparisonOf({ operator, left, right }: Comparison, row: VariableId): ScanCondition | null {
  const mirrored = ownValue(MIRRORED, operator);
  if (mirrored === undefined) return null;
  const [leftField, rightField] = [momentOf(left, row), momentOf(right, row)];
  const [field, constant] = leftField === null ? [rightField, left] : [leftField, right];
  if (field === null) return null;
  const literal = literalOf(constant, field.type);
  // The keys of MIRRORED are the operators.
  return literal === null
    ? null
    : { kind: 'compare', field: field.index, operator: leftField === null ? mirrored : (operator as ScanOperator), ...literal };
}

const INTEGERS: ReadonlySet<string> = new Set(['byte', 'short', 'int', 'long']);
/** Types that both systems compare in the same way. Doubles are excluded: a constant may differ from its digits. */
const COMPARED: ReadonlySet<string> = new Set([...INTEGERS, 'decimal', 'string', 'date', 'timestamp', 'bool']);

/** The start of a date that both systems write alike: PostgreSQL has no year 0, writes those before as BC, and ends earlier. */
const COMMON_YEAR = /^(?!0000)\d{4}-/;

/** A field of a row, by its index. A row that is no record counts as its only field. */
export interface RowField {
  readonly index: number;
  readonly type: Type;
}

/** Returns the field of a row that a plan is, as it is or widened; null for other plans. */
export function rowField(plan: Plan, row: VariableId): RowField | null {
  const inner = plan.kind === 'Convert' && isSameOrWider(plan.operand.type, plan.type) ? plan.operand : plan;
  if (inner.kind === 'Variable' && inner.id === row && inner.type.kind === 'PrimitiveType') return { index: 0, type: inner.type };
  return inner.kind === 'Field' && inner.target.kind === 'Variable' && inner.target.id === row ? inner : null;
}

/** Like `rowField`, of types that both systems compare and order in the same way. */
export function comparableField(plan: Plan, row: VariableId): RowField | null {
  const field = rowField(plan, row);
  return field?.type.kind === 'PrimitiveType' && COMPARED.has(field.type.name) ? field : null;
}

/** Like `comparableField`; also the midnight of a date, which PostgreSQL compares with timestamps. */
function momentOf(plan: Plan, row: VariableId): RowField | null {
  const isMidnight = plan.kind === 'Convert' && isPrimitive(plan.operand.type, 'date') && isPrimitive(plan.type, 'timestamp');
  return comparableField(isMidnight ? plan.operand : plan, row);
}

interface Literal {
  readonly value: string;
  readonly constant: ScanConstant;
}

/** A decimal of the language; further digits would be rounded. */
const DECIMAL = /^-?\d{1,38}(\.\d{1,18})?$/;

/** Returns a constant compared with a field of a type as a SQL literal; null if SQL cannot express it, or it is NULL. */
function literalOf(plan: Plan, type: Type): Literal | null {
  const constant = constantOf(plan);
  if (constant === null || constant.value === null || constant.type.kind !== 'PrimitiveType') return null;
  const value = sqlOf(constant.value, constant.type.name, type);
  return value === null ? null : { value, constant: { type: constant.type.name, text: String(constant.value) } };
}

function sqlOf(value: string | boolean, name: PrimitiveName, type: Type): string | null {
  if (type.kind !== 'PrimitiveType') return null;
  if (typeof value === 'boolean') return type.name === 'bool' ? String(value) : null;
  if (type.name === 'string') return name === 'string' && !value.includes('\0') ? quoted(value) : null;
  if (type.name === 'date' || type.name === 'timestamp')
    return (name === type.name || name === 'timestamp') && COMMON_YEAR.test(value) ? `${name} ${quoted(value)}` : null;
  const isNumber = INTEGERS.has(name) || (type.name === 'decimal' && name === 'decimal');
  return isNumber && DECIMAL.test(value) ? `${value}::numeric`.replace(/^(-?\d{1,18})::numeric$/, '$1') : null;
}

/** Returns the constant that a plan is, as it is or widened; null for other plans. */
export function constantOf(plan: Plan): Constant | null {
  if (plan.kind === 'Constant') return plan;
  if (plan.kind !== 'Convert') return null;
  const { operand, type } = plan;
  return isSameOrWider(operand.type, type) || (isInteger(operand.type) && isPrimitive(type, 'decimal')) ? constantOf(operand) : null;
}

/** Returns whether values of a type are the same in another, in which PostgreSQL compares them alike: it, or a wider one of integers. */
export function isSameOrWider(from: Type, to: Type): boolean {
  if (from.kind !== 'PrimitiveType' || to.kind !== 'PrimitiveType') return false;
  return from.name === to.name || (isInteger(from) && isInteger(to));
}

function isInteger(type: Type): boolean {
  return type.kind === 'PrimitiveType' && INTEGERS.has(type.name);
}

function isPrimitive(type: Type, name: PrimitiveName): boolean {
  return type.kind === 'PrimitiveType' && type.name === name;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
