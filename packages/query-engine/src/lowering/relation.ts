import type { Type } from '@svc/query-language';

import { memberNames } from '../representation/member-names.ts';
import { memberParts, uniteParts, type RelationLayout } from '../representation/relation-layout.ts';
import { select, subquery, wholeTable } from '../sql/select.ts';
import { aliased, columnRef, NULL, verbatim, type Column, type NamedSql, type Sql } from '../sql/sql.ts';
import type { LoweringContext, ReaderRelation, Relation } from './lowering-context.ts';
import { freshColumn } from './lowering-context.ts';
import { sortable } from './scalars/comparable.ts';
import { storedColumn } from './scalars/decimal-scale.ts';
import { packRecord } from './scalars/pack-record.ts';
import { ascending, rowSortKey, type SortColumn } from './scalars/sort-key.ts';
import type { Binding } from './scope.ts';

/** Returns the columns by which values in separate columns sort, each ascending: the columns themselves, or additional ones. */
export function keysOf(
  context: LoweringContext,
  values: readonly { readonly name: Column; readonly type: Type }[],
): { readonly keys: readonly SortColumn[]; readonly added: readonly NamedSql[] } {
  const sorted = values.map(({ name, type }) => {
    const sql = sortable(name, type);
    return { sql, name: sql === name ? name : freshColumn(context, 'k'), isAdded: sql !== name };
  });
  return { keys: sorted.map(({ name }) => ascending(name)), added: sorted.filter(({ isAdded }) => isAdded) };
}

/** Returns the columns by which distinct rows are sorted. */
export function rowKeys(context: LoweringContext, layout: RelationLayout): ReturnType<typeof keysOf> {
  const sql = layout.kind === 'value' ? rowSortKey(rowValue(layout), layout.type) : null;
  if (sql === null) return keysOf(context, typedColumns(layout));
  const name = freshColumn(context, 'k');
  return { keys: [ascending(name)], added: [{ name, sql }] };
}

/** The columns of a layout with the types of their values. */
function typedColumns(layout: RelationLayout): readonly { readonly name: Column; readonly type: Type }[] {
  const names = columnsOf(layout);
  const types = layout.kind === 'columns' ? layout.columns.map(({ field }) => field.type) : [layout.type];
  return types.flatMap((type, i) => (names[i] === undefined ? [] : { name: names[i], type }));
}

/** The element of a collection type. */
export function elementOf(type: Type): Type {
  if (type.kind !== 'CollectionType') throw new Error('a collection was expected');
  return type.element;
}

/** A layout for rows of this type, of new names. */
export function freshLayout(context: LoweringContext, rowType: Type): RelationLayout {
  if (rowType.kind !== 'RecordType' || rowType.isNullable || rowType.fields.length === 0)
    return { kind: 'value', column: freshColumn(context, 'c').name, type: rowType };
  return { kind: 'columns', columns: rowType.fields.map((field) => ({ name: freshColumn(context, 'c').name, field })) };
}

/** The columns of a layout. */
export function columnsOf(layout: RelationLayout): readonly Column[] {
  return layout.kind === 'value' ? [columnRef(layout.column)] : layout.columns.map(({ name }) => columnRef(name));
}

/** The columns of a layout as values: decimals have the common scale. */
function storedColumns(layout: RelationLayout): readonly Sql[] {
  const columns = columnsOf(layout);
  const scales = scalesOf(layout);
  return columns.map((column, i) => storedColumn(column, scales[i]));
}

/** The scales of columns of decimals, where they are known. */
function scalesOf(layout: RelationLayout): readonly (number | undefined)[] {
  return layout.kind === 'value' ? [layout.scale] : layout.columns.map(({ scale }) => scale);
}

/** A layout for columns of decimals of these scales, where they are known. */
export function withScales(layout: RelationLayout, scales: readonly (number | undefined)[]): RelationLayout {
  if (layout.kind === 'value') return { ...layout, scale: scales[0] };
  return { kind: 'columns', columns: layout.columns.map((column, i) => ({ ...column, scale: scales[i] })) };
}

/** Binds the row of a relation whose columns are visible. */
export function rowBinding(layout: RelationLayout, present: Sql | null = null): Binding {
  const columns = columnsOf(layout);
  if (layout.kind === 'value') return { kind: 'column', sql: columns[0] ?? NULL, scale: layout.scale };
  return { kind: 'row', columns, scales: scalesOf(layout), present };
}

/** The row of a relation as one value. */
export function rowValue(layout: RelationLayout): Sql {
  const columns = storedColumns(layout);
  if (layout.kind === 'value') return columns[0] ?? NULL;
  return packRecord({ kind: 'RecordType', isNullable: false, fields: layout.columns.map((column) => column.field) }, columns);
}

/** The parts of a row in the columns of another layout of the same fields, under their names. */
export function partsFor(layout: RelationLayout, target: RelationLayout): readonly NamedSql[] {
  const parts = partsOf(layout, target);
  return columnsOf(target).map((name, i) => ({ name, sql: parts[i] ?? NULL }));
}

function partsOf(layout: RelationLayout, target: RelationLayout): readonly Sql[] {
  if (target.kind === 'value') return [rowValue(layout)];
  const columns = storedColumns(layout);
  if (layout.kind === 'columns' || layout.type.kind !== 'RecordType') return columns;
  return memberParts(columns[0] ?? NULL, layout.type.fields).map(({ expression }) => expression);
}

/**
 * Returns the relation of a reader with a layout of the row type's fields only; its SQL has further columns only if it has no
 * parts. Of the records in fields `usedByMember`, unknown members do not matter.
 */
export function projected({ sql, layout, parts }: ReaderRelation, rowType: Type, usedByMember: readonly string[] = []): Relation {
  const relation = { sql: verbatim(sql), layout };
  if (rowType.kind !== 'RecordType' || layout.kind === 'value') return relation;
  if (rowType.fields.length >= layout.columns.length && usedByMember.length === 0) return relation;
  const columns = rowType.fields.flatMap(({ name }) => layout.columns.find(({ field }) => field.name === name) ?? []);
  const pruned: RelationLayout = { kind: 'columns', columns };
  return { sql: parts === undefined ? relation.sql : verbatim(uniteParts(parts, pruned, usedByMember)), layout: pruned };
}

/** The same relation in a layout of new names; of `rowType`, that has the same fields. */
export function renamed(context: LoweringContext, relation: Relation, rowType: Type): Relation {
  return inLayout(relation, freshLayout(context, rowType));
}

/** The rows of a table of WITH, whose columns are those of its layout, under names of their own. */
export function rowsOfTable(
  context: LoweringContext,
  { table, layout }: { readonly table: Column; readonly layout: RelationLayout },
  rowType: Type,
): Relation {
  const fresh = freshLayout(context, rowType);
  if (fresh.kind !== layout.kind) return inLayout({ sql: select({ takesAll: true, from: table }), layout }, fresh);
  return { sql: wholeTable(table, freshColumn(context, 't'), columnsOf(fresh)), layout: withScales(fresh, scalesOf(layout)) };
}

/** A result's relation: its columns have the names of the record's members. */
export function named(relation: Relation, rowType: Type): Relation {
  if (rowType.kind !== 'RecordType' || rowType.isNullable || rowType.fields.length === 0) return relation;
  const names = memberNames(rowType.fields);
  return inLayout(relation, { kind: 'columns', columns: rowType.fields.map((field, i) => ({ name: names[i] ?? field.name, field })) });
}

/** A column of decimals keeps its scale under its new name. */
function inLayout({ sql, layout: before }: Relation, layout: RelationLayout): Relation {
  const from = subquery(sql);
  if (layout.kind !== before.kind) return { layout, sql: select({ items: partsFor(before, layout).map(aliased), from }) };
  const values = columnsOf(before);
  const items = columnsOf(layout).map((name, i) => aliased({ name, sql: values[i] ?? NULL }));
  return { layout: withScales(layout, scalesOf(before)), sql: select({ items, from }) };
}
