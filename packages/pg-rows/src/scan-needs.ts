import type { Comparison, Constant, In, Plan, PrimitiveName, Select, Type, VariableId } from '@svc/query-language';
import { mapChildren, ownValue } from '@svc/query-language';

/** The columns and rows that a plan needs of a source, such as a table. */
export interface ScanNeeds {
  /** The source's name in the plan. */
  readonly source: string;
  /** The fields that are used, by their index in the row's type; null for all. */
  readonly fields: readonly number[] | null;
  /** Conditions that every relevant row satisfies. The plan checks them again, so additional rows do no harm. */
  readonly conditions: readonly ScanCondition[];
  /** Maximum number of rows used; null for all. */
  readonly limit: number | null;
}

/** A condition on one field that PostgreSQL decides as the engine does. */
export type ScanCondition =
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

/** Returns the source that a plan node scans; null for other nodes. */
type SourceOf = (plan: Plan) => string | null;

/** Computes the needs of a plan for each source that it scans; several scans of a source are combined to the union of their needs. */
export function scanNeeds(plan: Plan, sourceOf: SourceOf): readonly ScanNeeds[] {
  const found: ScanNeeds[] = [];
  collect(plan, { found, sourceOf });
  return [...Map.groupBy(found, ({ source }) => source)].map(([source, uses]) => {
    const [only] = uses;
    if (uses.length === 1 && only !== undefined) return only;
    const all = uses.map(({ fields }) => fields);
    return {
      source,
      fields: all.some((fields) => fields === null) ? null : distinct(all.flatMap((fields) => fields ?? [])),
      conditions: [],
      limit: null,
    };
  });
}

interface Collecting {
  readonly found: ScanNeeds[];
  readonly sourceOf: SourceOf;
}

function collect(plan: Plan, at: Collecting): void {
  const source = at.sourceOf(plan);
  if (source !== null) at.found.push({ source, fields: null, conditions: [], limit: null });
  else if (plan.kind === 'Select') collectSelect(plan, at);
  else forEachChild(plan, (child) => collect(child, at));
}

function collectSelect(select: Select, at: Collecting): void {
  for (const { collection, row } of select.sources) {
    const source = at.sourceOf(collection);
    if (source !== null) at.found.push({ source, fields: usedFields(select, row), ...boundsOf(select, row) });
  }
  forEachChild(select, (child) => {
    // Scans in FROM are collected above; a scan elsewhere is a value of its own.
    if (!select.sources.some(({ collection }) => collection === child && at.sourceOf(child) !== null)) collect(child, at);
  });
}

/** Returns the fields of a row variable that a SELECT uses; null if the row is used as a whole. */
function usedFields(select: Select, row: VariableId): readonly number[] | null {
  const fields: number[] = [];
  let isWhole = false;
  const visit = (plan: Plan): void => {
    if (plan.kind === 'Field' && plan.target.kind === 'Variable' && plan.target.id === row) fields.push(plan.index);
    else if (plan.kind === 'Variable') isWhole ||= plan.id === row;
    else forEachChild(plan, visit);
  };
  forEachChild(select, visit);
  return isWhole ? null : distinct(fields);
}

/** Returns conditions and limit of the source, if the SELECT has only one. */
function boundsOf(select: Select, row: VariableId): Pick<ScanNeeds, 'conditions' | 'limit'> {
  if (select.sources.length > 1) return { conditions: [], limit: null };
  const { where } = select;
  const conjuncts = where === null ? [] : where.kind === 'Logical' && where.operator === 'and' ? where.operands : [where];
  const conditions: ScanCondition[] = [];
  for (const conjunct of conjuncts) {
    const condition = conditionOf(conjunct, row);
    // A later one may be meant to fail on a row that it would drop.
    if (condition === null) return { conditions, limit: null };
    conditions.push(condition);
  }
  return { conditions, limit: takesFirstRows(select) ? firstRows(select) : null };
}

function takesFirstRows(select: Select): boolean {
  const { grouping, having, isSingle, isDistinct, orderBy, order, item } = select;
  return (
    grouping === null && having === null && !isSingle && !isDistinct && orderBy.length === 0 && order === 'source' && !looksAround(item)
  );
}

/** Returns whether a value depends on other rows. */
function looksAround(plan: Plan): boolean {
  if (plan.kind === 'WindowCall' || plan.kind === 'Aggregate') return true;
  let found = false;
  forEachChild(plan, (child) => {
    found ||= looksAround(child);
  });
  return found;
}

function firstRows({ limit, offset }: Select): number | null {
  const [rows, skipped] = [constantInteger(limit), offset === null ? 0 : constantInteger(offset)];
  return rows === null || skipped === null ? null : rows + skipped;
}

function constantInteger(plan: Plan | null): number | null {
  const constant = plan === null ? null : constantOf(plan);
  if (typeof constant?.value !== 'string' || !/^\d{1,15}$/.test(constant.value)) return null;
  return Number(constant.value);
}

function conditionOf(plan: Plan, row: VariableId): ScanCondition | null {
  if (plan.kind === 'Comparison') return comparisonOf(plan, row);
  if (plan.kind === 'IsNull') return nullOf(plan.operand, row, { isNull: true });
  if (plan.kind === 'Not') return plan.operand.kind === 'IsNull' ? nullOf(plan.operand.operand, row, { isNull: false }) : null;
  return plan.kind === 'In' ? membershipOf(plan, row) : null;
}

function nullOf(operand: Plan, row: VariableId, { isNull }: { readonly isNull: boolean }): ScanCondition | null {
  const field = fieldOf(operand, row);
  return field === null ? null : { kind: 'null', field: field.index, isNull };
}

function membershipOf({ operand, collection }: In, row: VariableId): ScanCondition | null {
  const field = fieldOf(operand, row);
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
  const [leftField, rightField] = [fieldOf(left, row), fieldOf(right, row)];
  const [field, constant] = leftField === null ? [rightField, left] : [leftField, right];
  if (field === null) return null;
  const literal = literalOf(constant, field.type);
  // The keys of MIRRORED are the operators.
  return literal === null
    ? null
    : { kind: 'compare', field: field.index, operator: leftField === null ? mirrored : (operator as ScanOperator), ...literal };
}

interface RowField {
  readonly index: number;
  readonly type: Type;
}

const INTEGERS: ReadonlySet<string> = new Set(['byte', 'short', 'int', 'long']);
/** Types that both systems compare in the same way. Doubles are excluded: a constant may differ from its digits. */
const COMPARED: ReadonlySet<string> = new Set([...INTEGERS, 'decimal', 'string', 'date', 'timestamp', 'bool']);

/** The start of a date that both systems write alike: PostgreSQL has no year 0, writes those before as BC, and ends earlier. */
const COMMON_YEAR = /^(?!0000)\d{4}-/;

/** A field of the row, widened or not. */
function fieldOf(plan: Plan, row: VariableId): RowField | null {
  const inner = plan.kind === 'Convert' && isSameOrWiderInteger(plan.operand.type, plan.type) ? plan.operand : plan;
  if (inner.kind !== 'Field' || inner.target.kind !== 'Variable' || inner.target.id !== row) return null;
  return inner.type.kind === 'PrimitiveType' && COMPARED.has(inner.type.name) ? { index: inner.index, type: inner.type } : null;
}

interface Literal {
  readonly value: string;
  readonly constant: ScanConstant;
}

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
    return name === type.name && COMMON_YEAR.test(value) ? `${type.name} ${quoted(value)}` : null;
  const isNumber = INTEGERS.has(name) || (type.name === 'decimal' && name === 'decimal');
  return isNumber && /^-?\d+(\.\d+)?$/.test(value) ? `${value}::numeric`.replace(/^(-?\d{1,18})::numeric$/, '$1') : null;
}

function constantOf(plan: Plan): Constant | null {
  if (plan.kind === 'Constant') return plan;
  return plan.kind === 'Convert' && isSameOrWiderInteger(plan.operand.type, plan.type) ? constantOf(plan.operand) : null;
}

function isSameOrWiderInteger(from: Type, to: Type): boolean {
  if (from.kind !== 'PrimitiveType' || to.kind !== 'PrimitiveType') return false;
  return from.name === to.name || (INTEGERS.has(from.name) && (INTEGERS.has(to.name) || to.name === 'decimal'));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function forEachChild(plan: Plan, visit: (child: Plan) => void): void {
  mapChildren(plan, (child) => {
    visit(child);
    return child;
  });
}

function distinct(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}
