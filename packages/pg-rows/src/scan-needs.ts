import type { Convert, Field, FieldType, Let, Plan, PlanSource, RecordType, Select, Type, Variable, VariableId } from '@svc/query-language';
import { childrenOfPlan, isAsof } from '@svc/query-language';

import {
  anyOf,
  constantOf,
  equalFields,
  isSameOrWider,
  leadingConditions,
  onFields,
  rejectsNull,
  rowField,
  type ScanCondition,
} from './scan-condition.ts';

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

/** A source that a plan node scans: its name, and the type of its rows with all their fields. */
export interface ScannedSource {
  readonly source: string;
  readonly type: Type;
}

/** Returns the source that a plan node scans; null for other nodes. */
type SourceOf = (plan: Plan) => ScannedSource | null;

/** What is needed of rows; fields are those of the node that has the rows. */
type RowNeeds = Omit<ScanNeeds, 'source'>;

const ALL: RowNeeds = { fields: null, conditions: [], limit: null };

/**
 * Computes the needs of a plan for each source that it scans; several scans of a source are combined to the union of their
 * needs. Conditions and limits are followed from a SELECT to the SELECTs, declarations and joins that it reads.
 */
export function scanNeeds(plan: Plan, sourceOf: SourceOf): readonly ScanNeeds[] {
  const scans = new Map<string, RowNeeds[]>();
  new Needs(sourceOf, scans).visit(plan);
  return [...scans].map(([source, uses]) => ({ source, ...union(uses) }));
}

/** Combines the needs of several uses of the same rows. */
function union(uses: readonly RowNeeds[]): RowNeeds {
  const [only] = uses;
  if (uses.length === 1 && only !== undefined) return only;
  const all = uses.map(({ fields }) => fields);
  return {
    fields: all.includes(null) ? null : distinct(all.flatMap((fields) => fields ?? [])),
    conditions: anyOf(uses.map(({ conditions }) => conditions)),
    limit: null,
  };
}

class Needs {
  readonly #sourceOf: SourceOf;
  readonly #scans: Map<string, RowNeeds[]>;
  /** Needs of the uses of declarations in scope. */
  readonly #declared = new Map<VariableId, RowNeeds[]>();

  constructor(sourceOf: SourceOf, scans: Map<string, RowNeeds[]>) {
    this.#sourceOf = sourceOf;
    this.#scans = scans;
  }

  /** Visits a plan of which rows are needed; of one that is no collection, all is. */
  visit(plan: Plan, needs = ALL): void {
    const scanned = this.#sourceOf(plan);
    if (scanned !== null) append(this.#scans, scanned.source, needsOfSource(plan.type, scanned.type, needs));
    else if (plan.kind === 'Variable') this.#declared.get(plan.id)?.push(needs);
    else if (plan.kind === 'Let') this.#visitLet(plan, needs);
    else if (plan.kind === 'Select') this.#visitSelect(plan, plan.isSingle ? ALL : needs);
    else if (plan.kind === 'Convert') this.visit(plan.operand, needsOfConverted(plan, needs));
    else if (plan.kind === 'SetOperation') {
      // The others compare whole rows.
      const below = plan.operator === 'union-all' ? needs : { ...ALL, conditions: needs.conditions };
      for (const operand of plan.operands) this.visit(operand, below);
    } else for (const child of childrenOfPlan(plan)) this.visit(child);
  }

  #visitLet({ id, value, body }: Let, needs: RowNeeds): void {
    const uses: RowNeeds[] = [];
    this.#declared.set(id, uses);
    this.visit(body, needs);
    this.visit(value, uses.length === 0 ? ALL : union(uses));
  }

  #visitSelect(select: Select, needs: RowNeeds): void {
    const values = valuesOf(select, needs);
    select.sources.forEach((source, i) => {
      const below = { ...boundsOf(select, i, needs), fields: usedFields(select, source.row, { values, needs }) };
      this.visit(source.collection, below);
      if (source.on !== null) this.visit(source.on);
    });
    for (const part of [...restOf(select), ...values]) this.visit(part);
  }
}

function append(scans: Map<string, RowNeeds[]>, source: string, needs: RowNeeds): void {
  const uses = scans.get(source) ?? [];
  uses.push(needs);
  scans.set(source, uses);
}

/** Translates needs of a scan, which may have some fields of the source only. */
function needsOfSource(scanned: Type, full: Type, { fields, conditions, limit }: RowNeeds): RowNeeds {
  const [own, all] = [recordFields(scanned), recordFields(full)];
  if (own === null || all === null) return { ...ALL, limit: conditions.length === 0 ? limit : null };
  const indexOf = (index: number): number => {
    const found = all.findIndex(({ name }) => name === own[index]?.name);
    if (found < 0) throw new Error('a scan has a field that its source does not have');
    return found;
  };
  return {
    fields: fields === null && own.length === all.length ? null : distinct((fields ?? [...own.keys()]).map(indexOf)),
    conditions: conditions.flatMap((condition) => onFields(condition, indexOf) ?? []),
    limit,
  };
}

/** Translates needs through a widening of the rows, field by field. */
function needsOfConverted({ operand, type }: Convert, { fields, conditions, limit }: RowNeeds): RowNeeds {
  const [from, to] = [fieldsOf(operand.type), fieldsOf(type)];
  if (to.length !== from.length || to.some(({ name }, i) => name !== from[i]?.name)) return ALL;
  const kept = conditions.filter((condition) => onFields(condition, (field) => (isKept(from[field], to[field]) ? field : null)) !== null);
  return { fields, conditions: kept, limit: kept.length < conditions.length ? null : limit };
}

function isKept(from: FieldType | undefined, to: FieldType | undefined): boolean {
  return from !== undefined && to !== undefined && isSameOrWider(from.type, to.type);
}

function recordFields(type: Type): RecordType['fields'] | null {
  return type.kind === 'CollectionType' && type.element.kind === 'RecordType' ? type.element.fields : null;
}

function fieldsOf(type: Type): RecordType['fields'] {
  return recordFields(type) ?? (type.kind === 'CollectionType' ? [{ name: '', type: type.element }] : []);
}

/** Returns the parts of an item that are needed: of a record, values other than fields are computed in any case. */
function valuesOf({ item, isDistinct, itemVariable, orderBy }: Select, { fields }: RowNeeds): readonly Plan[] {
  if (fields === null || isDistinct || item.kind !== 'RecordLiteral') return [item];
  if (orderBy.some(({ value }) => uses(value, itemVariable))) return [item];
  return item.values.filter((value, i) => fields.includes(i) || !isFieldOfVariable(value));
}

/** Returns the parts of a SELECT besides its sources and its item. */
function restOf(select: Select): readonly Plan[] {
  return childrenOfPlan({ ...select, sources: [] }).filter((part) => part !== select.item);
}

/** Returns the fields of a source's row that a SELECT uses, given the needed parts of its item; null if the row is used as a whole. */
function usedFields(
  select: Select,
  row: VariableId,
  { values, needs }: { readonly values: readonly Plan[]; readonly needs: RowNeeds },
): readonly number[] | null {
  const fields: number[] = [];
  let isWhole = false;
  const visit = (plan: Plan): void => {
    if (isFieldOfVariable(plan) && plan.target.id === row) fields.push(plan.index);
    else if (plan.kind === 'Variable') isWhole ||= plan.id === row;
    else childrenOfPlan(plan).forEach(visit);
  };
  const { sources, item, isDistinct, itemVariable, orderBy } = select;
  for (const { collection, on } of sources) [collection, ...(on === null ? [] : [on])].forEach(visit);
  restOf(select).forEach(visit);
  const isPassedOn = item.kind === 'Variable' && item.id === row && !isDistinct && !orderBy.some(({ value }) => uses(value, itemVariable));
  if (isPassedOn && needs.fields !== null) fields.push(...needs.fields);
  else values.forEach(visit);
  return isWhole ? null : distinct(fields);
}

function isFieldOfVariable(plan: Plan): plan is Field & { readonly target: Variable } {
  return plan.kind === 'Field' && plan.target.kind === 'Variable';
}

function uses(plan: Plan, id: VariableId): boolean {
  return plan.kind === 'Variable' ? plan.id === id : childrenOfPlan(plan).some((part) => uses(part, id));
}

/** Returns conditions and limit of a source of a SELECT. */
function boundsOf(select: Select, index: number, needs: RowNeeds): Pick<RowNeeds, 'conditions' | 'limit'> {
  const source = select.sources[index];
  // The nearest row is chosen among all.
  if (source === undefined || isAsof(source)) return { conditions: [], limit: null };
  // Positions count the rows that a condition drops.
  const isCounted = source.position !== null;
  const where = leadingConditions(select.where, source.row);
  const outer = conditionsBelow(select, source.row, isCounted ? [] : needs.conditions);
  const conditions = [...where.conditions, ...outer].filter((condition) => !source.isOptional || rejectsNull(condition));
  // A row that an outer condition drops is not one of its first rows.
  const limit = outer.length === needs.conditions.length ? needs.limit : null;
  return {
    conditions: isCounted ? [] : [...conditions, ...joinConditions(select, source), ...keyConditions(select, source, needs)],
    limit: where.isAll && !(isCounted && select.where !== null) ? firstRows(select, limit) : null,
  };
}

/** Translates conditions on the rows of a SELECT to those on a row of its source, as far as possible. */
function conditionsBelow(select: Select, row: VariableId, conditions: readonly ScanCondition[]): readonly ScanCondition[] {
  const { limit, offset, item, orderBy } = select;
  // Rows of a page, and those that windows look at, are chosen before.
  if (limit !== null || offset !== null || [item, ...orderBy.map(({ value }) => value)].some(holdsWindow)) return [];
  return conditions.flatMap((condition) => onFields(condition, (field) => fieldBelow(select, row, field)) ?? []);
}

/** Returns the index of the field of a source's row that is a field of a SELECT's rows. */
function fieldBelow(select: Select, row: VariableId, index: number): number | null {
  const { item, grouping } = select;
  if (item.kind === 'Variable' && item.id === row) return index;
  const value = item.kind === 'RecordLiteral' ? item.values[index] : item.type.kind === 'PrimitiveType' ? item : undefined;
  if (value === undefined) return null;
  return rowField(grouping === null ? value : keyOf(select, value), row)?.index ?? null;
}

/** Returns the value of the group key that a value is; of several groupings, a key is NULL in some. */
function keyOf({ grouping }: Select, value: Plan): Plan {
  if (grouping === null || grouping.sets !== null || value.kind !== 'Variable') return value;
  return grouping.keys.find(({ id }) => id === value.id)?.value ?? value;
}

/** Returns the conditions of joins on a source's row alone: a row that does not satisfy them has no match, and is not kept without one. */
function joinConditions({ sources }: Select, source: PlanSource): readonly ScanCondition[] {
  const { row, isOptional } = source;
  const index = sources.indexOf(source);
  return sources.flatMap(({ on, join }, i) => {
    if (on === null || i < index) return [];
    const isOwn = i === index;
    if (join !== 'inner' && join !== (isOwn ? 'left' : 'right')) return [];
    return leadingConditions(on, row).conditions.filter((condition) => isOwn || !isOptional || rejectsNull(condition));
  });
}

/**
 * Returns the conditions on keys of joins that follow from those on the other side. A row whose key does not satisfy them
 * matches only rows that WHERE drops, as it does those without the other side.
 */
function keyConditions(select: Select, source: PlanSource, needs: RowNeeds): readonly ScanCondition[] {
  const { sources, where } = select;
  return sources.flatMap((other, i) => {
    if (other === source) return [];
    const later = sources[Math.max(i, sources.indexOf(source))] ?? source;
    const conditions = [...leadingConditions(where, other.row).conditions, ...conditionsBelow(select, other.row, needs.conditions)];
    return [where, isAsof(later) ? null : later.on].flatMap((on) =>
      equalFields(on, source.row, other.row).flatMap(({ left, right }) =>
        conditions.filter(rejectsNull).flatMap((found) => onFields(found, (field) => (field === right ? left : null)) ?? []),
      ),
    );
  });
}

/** Returns the number of rows of its only source that a SELECT uses for its first rows; null for all. */
function firstRows(select: Select, needed: number | null): number | null {
  if (!takesFirstRows(select)) return null;
  const own = select.limit === null ? needed : constantInteger(select.limit);
  const skipped = select.offset === null ? 0 : constantInteger(select.offset);
  return own === null || skipped === null ? null : Math.min(own, needed ?? own) + skipped;
}

function takesFirstRows({ sources, grouping, having, isSingle, isDistinct, orderBy, order, item }: Select): boolean {
  const isPlain = grouping === null && having === null && !isSingle && !isDistinct;
  return sources.length === 1 && isPlain && orderBy.length === 0 && order === 'source' && !looksAround(item);
}

/** Returns whether a value depends on other rows. */
function looksAround(plan: Plan): boolean {
  return plan.kind === 'WindowCall' || plan.kind === 'Aggregate' || childrenOfPlan(plan).some(looksAround);
}

function holdsWindow(plan: Plan): boolean {
  return plan.kind === 'WindowCall' || childrenOfPlan(plan).some(holdsWindow);
}

function constantInteger(plan: Plan): number | null {
  const value = constantOf(plan)?.value;
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : null;
}

function distinct(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}
