import type { Plan, RecordLiteral, RecordType, Select, VariableId } from '@svc/query-language';
import { childrenOfPlan } from '@svc/query-language';

import { usesAny } from '../lowering/variables.ts';

/** Rows of a source or a declaration, and which of their fields are used anywhere in the plan. */
export class ProducedRows {
  readonly size: number;
  readonly #used = new Set<number>();
  readonly #onUse: (index: number) => void;

  /** `onUse` is called once per used field. */
  constructor(size: number, onUse: (index: number) => void = () => undefined) {
    this.size = size;
    this.#onUse = onUse;
  }

  use(index: number): void {
    if (this.#used.has(index)) return;
    this.#used.add(index);
    this.#onUse(index);
  }

  useAll(): void {
    for (let index = 0; index < this.size; index += 1) this.use(index);
  }

  get isAllUsed(): boolean {
    return this.#used.size >= this.size;
  }

  /** The fields that are used, in their order. */
  get kept(): readonly number[] {
    return [...this.#used].toSorted((a, b) => a - b);
  }
}

/**
 * Fields that a plan uses of its sources' rows. Rows are known if they are records of a Read, of a TableScan, or of a SELECT
 * that only filters, sorts and computes; a use other than of a field uses all.
 */
export class ColumnUses {
  /** By the variable of a row, or of a declaration of rows. */
  readonly #rows = new Map<VariableId, ProducedRows>();
  /** By the node that produces them. */
  readonly #produced = new Map<Plan, ProducedRows>();

  constructor(plan: Plan) {
    this.#visit(plan);
    // Rows that are only counted keep one field.
    for (const rows of this.#produced.values()) if (rows.kept.length === 0) rows.use(0);
  }

  rowsOf(id: VariableId): ProducedRows | undefined {
    return this.#rows.get(id);
  }

  producedBy(plan: Plan): ProducedRows | undefined {
    return this.#produced.get(plan);
  }

  get isAllUsed(): boolean {
    return [...this.#produced.values()].every((rows) => rows.isAllUsed);
  }

  #visit(plan: Plan): void {
    if (plan.kind === 'Variable') this.#rows.get(plan.id)?.useAll();
    else if (plan.kind === 'Field' && plan.target.kind === 'Variable') this.#rows.get(plan.target.id)?.use(plan.index);
    else if (plan.kind === 'Read' || plan.kind === 'TableScan') this.#scanned(plan)?.useAll();
    else if (plan.kind === 'Select') this.#visitSelect(plan, [plan.item]);
    else if (plan.kind === 'Let') {
      this.#bind(plan.id, plan.value);
      this.#visit(plan.body);
    } else for (const child of childrenOfPlan(plan)) this.#visit(child);
  }

  /** Visits the parts of a Select, and the given parts of its item. */
  #visitSelect(select: Select, item: readonly Plan[]): void {
    for (const { row, collection, on } of select.sources) {
      this.#bind(row, collection);
      if (on !== null) this.#visit(on);
    }
    for (const part of childrenOfPlan({ ...select, sources: [] })) if (part !== select.item) this.#visit(part);
    for (const part of item) this.#visit(part);
  }

  #bind(id: VariableId, collection: Plan): void {
    const rows = this.#producer(collection);
    if (rows !== undefined) this.#rows.set(id, rows);
  }

  /** Returns the rows of a plan as a source or a declaration; undefined if they are not known. Visits its parts, each once. */
  #producer(plan: Plan): ProducedRows | undefined {
    if (plan.kind === 'Variable') return this.#rows.get(plan.id);
    if (plan.kind === 'Read' || plan.kind === 'TableScan') return this.#scanned(plan);
    if (plan.kind !== 'Select' || rowTypeOf(plan) === null || !isPlain(plan)) {
      this.#visit(plan);
      return undefined;
    }
    const rows = this.#selected(plan);
    if (rows !== undefined) this.#produced.set(plan, rows);
    return rows;
  }

  #scanned(plan: Plan): ProducedRows | undefined {
    const row = rowTypeOf(plan);
    if (row === null) return undefined;
    const rows = this.#produced.get(plan) ?? new ProducedRows(row.fields.length);
    this.#produced.set(plan, rows);
    return rows;
  }

  #selected(select: Select): ProducedRows | undefined {
    const { item } = select;
    if (item.kind === 'RecordLiteral') return this.#recordRows(select, item);
    this.#visitSelect(select, []);
    const below = item.kind === 'Variable' && select.sources.some(({ row }) => row === item.id) ? this.#rows.get(item.id) : undefined;
    if (below === undefined) this.#visit(item);
    else return new ProducedRows(below.size, (index) => below.use(index));
    return undefined;
  }

  #recordRows(select: Select, item: RecordLiteral): ProducedRows {
    const rows = new ProducedRows(item.values.length, (index) => {
      const value = item.values[index];
      if (value !== undefined && isFieldOfRow(value)) this.#visit(value);
    });
    this.#visitSelect(
      select,
      item.values.filter((value) => !isFieldOfRow(value)),
    );
    for (const [index, value] of item.values.entries()) if (!isFieldOfRow(value)) rows.use(index);
    return rows;
  }
}

/** Returns the type of a plan's rows if they are records of at least one field. */
function rowTypeOf({ type }: Plan): RecordType | null {
  if (type.kind !== 'CollectionType' || type.isNullable || type.element.kind !== 'RecordType' || type.element.isNullable) return null;
  return type.element.fields.length === 0 ? null : type.element;
}

/** Returns whether the set and the order of a Select's rows do not depend on its item. */
function isPlain({ grouping, isSingle, isDistinct, orderBy, itemVariable }: Select): boolean {
  const own = new Set([itemVariable]);
  return grouping === null && !isSingle && !isDistinct && !orderBy.some(({ value }) => usesAny(value, own));
}

function isFieldOfRow(plan: Plan): boolean {
  return plan.kind === 'Field' && plan.target.kind === 'Variable';
}
