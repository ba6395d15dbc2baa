import type { Field, FieldType, Plan, Read, RecordLiteral, RecordType, Select, Variable, VariableId } from '@svc/query-language';
import { childrenOfPlan, hasRecords } from '@svc/query-language';

import { usesAny } from './variables.ts';

/** Extent to which a field is used: members of the records in it, by their names, or all of it. */
type Extent = 'members' | 'whole';

/** Rows of a source or a declaration, and which of their fields are used anywhere in the plan. */
export class ProducedRows {
  readonly fields: readonly FieldType[];
  readonly #used = new Map<number, Extent>();
  readonly #onUse: (index: number, extent: Extent) => void;

  /** `onUse` is called once per field and extent. */
  constructor(fields: readonly FieldType[], onUse: (index: number, extent: Extent) => void = () => undefined) {
    this.fields = fields;
    this.#onUse = onUse;
  }

  use(index: number, extent: Extent): void {
    const before = this.#used.get(index);
    if (before === 'whole' || before === extent) return;
    this.#used.set(index, extent);
    this.#onUse(index, extent);
  }

  useAll(): void {
    for (let index = 0; index < this.fields.length; index += 1) this.use(index, 'whole');
  }

  /** True if all fields are used, with all of the records in them. */
  get isAllUsed(): boolean {
    return this.#used.size >= this.fields.length && this.usedByMember.length === 0;
  }

  /** The fields that are used, in their order. */
  get kept(): readonly number[] {
    return [...this.#used.keys()].toSorted((a, b) => a - b);
  }

  /** The names of the fields with records of which only members are used. */
  get usedByMember(): readonly string[] {
    return this.fields.flatMap(({ name, type }, index) => (this.#used.get(index) === 'members' && hasRecords(type) ? [name] : []));
  }
}

/**
 * Fields that a plan uses of its sources' rows, and of documents. Rows are known if they are records of a Read, of a TableScan, or
 * of a SELECT that only filters, sorts and computes; a use other than of a field uses all.
 */
export class ColumnUses {
  /** By the variable of a row, or of a declaration of rows. */
  readonly #rows = new Map<VariableId, ProducedRows>();
  /** By the variable of an element of a field of such a row, or of a declaration of one: marks the field as used. */
  readonly #elements = new Map<VariableId, (extent: Extent) => void>();
  /** By the node that produces them. */
  readonly #produced = new Map<Plan, ProducedRows>();

  constructor(plan: Plan) {
    this.#visit(plan);
    // Rows that are only counted keep one field.
    for (const rows of this.#produced.values()) if (rows.kept.length === 0) rows.use(0, 'members');
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
    const path = pathOf(plan);
    const extent = hasRecords(plan.type) ? 'whole' : 'members';
    if (path !== null) this.#usePath(path, extent);
    else if (isFieldOfDocument(plan)) this.#scanned(plan.target)?.use(plan.index, extent);
    else if (plan.kind === 'Read' || plan.kind === 'TableScan') this.#scanned(plan)?.useAll();
    else if (plan.kind === 'Select') this.#visitSelect(plan, [plan.item]);
    else if (plan.kind === 'Let') {
      this.#bind(plan.id, plan.value);
      this.#visit(plan.body);
    } else {
      if (plan.kind === 'RecordLiteral') this.#useSpread(plan.values);
      for (const child of childrenOfPlan(plan)) this.#visit(child);
    }
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
    const path = pathOf(collection);
    if (path !== null && (path.field !== null || this.#elements.has(path.id))) {
      this.#usePath(path, 'members');
      this.#elements.set(id, (extent) => this.#usePath(path, extent));
      return;
    }
    const rows = this.#producer(collection);
    if (rows !== undefined) this.#rows.set(id, rows);
  }

  /** Uses elements as a whole of which all fields are fields of a new record, as of `i.*`. */
  #useSpread(values: readonly Plan[]): void {
    const fields = values.filter(isFieldOfRow);
    for (const { index, target } of fields) {
      if (index > 0 || target.type.kind !== 'RecordType') continue;
      const copied = new Set(fields.filter((field) => field.target.id === target.id).map((field) => field.index));
      if (copied.size === target.type.fields.length) this.#elements.get(target.id)?.('whole');
    }
  }

  #usePath({ id, field }: Path, extent: Extent): void {
    this.#elements.get(id)?.(extent);
    if (field === null) this.#rows.get(id)?.useAll();
    else this.#rows.get(id)?.use(field, extent);
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
    const rows = this.#produced.get(plan) ?? new ProducedRows(row.fields);
    this.#produced.set(plan, rows);
    return rows;
  }

  #selected(select: Select): ProducedRows | undefined {
    const { item } = select;
    if (item.kind === 'RecordLiteral') return this.#recordRows(select, item);
    this.#visitSelect(select, []);
    const below = item.kind === 'Variable' && select.sources.some(({ row }) => row === item.id) ? this.#rows.get(item.id) : undefined;
    if (below === undefined) this.#visit(item);
    else return new ProducedRows(below.fields, (index, extent) => below.use(index, extent));
    return undefined;
  }

  #recordRows(select: Select, item: RecordLiteral): ProducedRows {
    const rows = new ProducedRows(item.type.kind === 'RecordType' ? item.type.fields : [], (index, extent) => {
      const value = item.values[index];
      if (value !== undefined && isFieldOfRow(value)) this.#usePath({ id: value.target.id, field: value.index }, extent);
    });
    this.#useSpread(item.values);
    this.#visitSelect(
      select,
      item.values.filter((value) => !isFieldOfRow(value)),
    );
    for (const [index, value] of item.values.entries()) if (!isFieldOfRow(value)) rows.use(index, 'whole');
    return rows;
  }
}

/** Returns the type of a plan's rows, or of the document that it reads, if they are records of at least one field. */
function rowTypeOf({ kind, type }: Plan): RecordType | null {
  if (type.isNullable) return null;
  const row = type.kind === 'CollectionType' ? type.element : kind === 'Read' ? type : null;
  return row?.kind === 'RecordType' && !row.isNullable && row.fields.length > 0 ? row : null;
}

/** Returns whether the set and the order of a Select's rows do not depend on its item. */
function isPlain({ grouping, isSingle, isDistinct, orderBy, itemVariable }: Select): boolean {
  const own = new Set([itemVariable]);
  return grouping === null && !isSingle && !isDistinct && !orderBy.some(({ value }) => usesAny(value, own));
}

/** Returns whether a plan reads a document, for one of its fields. */
export function isFieldOfDocument(plan: Plan): plan is Field & { readonly target: Read } {
  return plan.kind === 'Field' && plan.target.kind === 'Read';
}

function isFieldOfRow(plan: Plan): plan is Field & { readonly target: Variable } {
  return plan.kind === 'Field' && plan.target.kind === 'Variable';
}

/** A variable, or a field of it: the first of a path of fields. */
interface Path {
  readonly id: VariableId;
  readonly field: number | null;
}

/** Returns the path of a variable, of a field of it, of a field of that, and so on; null for other plans. */
function pathOf(plan: Plan): Path | null {
  if (plan.kind === 'Variable') return { id: plan.id, field: null };
  if (plan.kind !== 'Field') return null;
  return isFieldOfRow(plan) ? { id: plan.target.id, field: plan.index } : pathOf(plan.target);
}
