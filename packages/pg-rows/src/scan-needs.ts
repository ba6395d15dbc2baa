import type { Convert, Field, FieldType, Let, Plan, RecordType, Select, Type, Variable, VariableId } from '@svc/query-language';
import { childrenOfPlan } from '@svc/query-language';

import { ALL, topOnFields, type RowNeeds, type ScanNeeds } from './row-needs.ts';
import { boundsOf } from './scan-bounds.ts';
import { anyOf, isSameOrWider, onFields } from './scan-condition.ts';

/** A source that a plan node scans: its name, and the type of its rows with all their fields. */
export interface ScannedSource {
  readonly source: string;
  readonly type: Type;
}

/** Returns the source that a plan node scans; null for other nodes. */
type SourceOf = (plan: Plan) => ScannedSource | null;

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
    top: null,
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
    for (const source of select.sources) {
      this.visit(source.collection, { ...boundsOf(select, source, needs), fields: usedFields(select, source.row, { values, needs }) });
      if (source.on !== null) this.visit(source.on);
    }
    for (const part of [...restOf(select), ...values]) this.visit(part);
  }
}

function append(scans: Map<string, RowNeeds[]>, source: string, needs: RowNeeds): void {
  const uses = scans.get(source) ?? [];
  uses.push(needs);
  scans.set(source, uses);
}

/** Translates needs of a scan, which may have some fields of the source only. */
function needsOfSource(scanned: Type, full: Type, { fields, conditions, limit, top }: RowNeeds): RowNeeds {
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
    top: top === null ? null : topOnFields(top, indexOf),
  };
}

/** Translates needs through a widening of the rows, field by field. */
function needsOfConverted({ operand, type }: Convert, { fields, conditions, limit, top }: RowNeeds): RowNeeds {
  const [from, to] = [fieldsOf(operand.type), fieldsOf(type)];
  if (to.length !== from.length || to.some(({ name }, i) => name !== from[i]?.name)) return ALL;
  const indexOf = (field: number): number | null => (isKept(from[field], to[field]) ? field : null);
  const kept = conditions.filter((condition) => onFields(condition, indexOf) !== null);
  if (kept.length < conditions.length) return { ...ALL, fields, conditions: kept };
  return { fields, conditions, limit, top: top === null ? null : topOnFields(top, indexOf) };
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

function distinct(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}
