import type { Plan, SetOperation, Type } from '@svc/query-language';

import { memberNames } from '../representation/member-names.ts';
import type { RelationLayout } from '../representation/relation-layout.ts';
import { quoteIdentifier } from '../representation/sql-text.ts';
import { memberParts } from '../representation/relation-layout.ts';
import type { Binding, LoweringContext, Relation, Scope } from './lowering-context.ts';
import { freshName } from './lowering-context.ts';
import { lowerValue, packRecord } from './lower-value.ts';
import { lowerSelect } from './select/lower-select.ts';

/** Whether whoever reads the relation relies on the order of its rows. */
export interface RelationOptions {
  readonly keepsOrder: boolean;
}

/** The relation of a collection-valued plan: one row per element. NULL counts as empty. */
export function lowerRelation(context: LoweringContext, plan: Plan, scope: Scope, options: RelationOptions): Relation {
  switch (plan.kind) {
    case 'Read': return context.environment.reader(plan.key);
    case 'TableScan': return context.environment.tableScan(plan.table);
    case 'Select': return plan.isSingle ? unnested(context, plan, scope) : lowerSelect(context, plan, scope, options);
    case 'SetOperation': return lowerSet(context, plan, scope, options);
    case 'Variable': {
      const binding = scope.get(plan.id);
      return binding?.kind === 'relation' ? { sql: `SELECT * FROM ${binding.name}`, layout: binding.layout } : unnested(context, plan, scope);
    }
    default: return unnested(context, plan, scope);
  }
}

/** The elements of a list value, one per row, in order. */
function unnested(context: LoweringContext, plan: Plan, scope: Scope): Relation {
  return { sql: `SELECT unnest(${lowerValue(context, plan, scope)}) AS v`, layout: { kind: 'value', column: 'v', type: elementOf(plan.type) } };
}

/** The element of a collection type. */
export function elementOf(type: Type): Type {
  if (type.kind !== 'CollectionType') throw new Error('a collection was expected');
  return type.element;
}

/** How a row of this type stands in columns. */
export function layoutOf(rowType: Type): RelationLayout {
  if (rowType.kind !== 'RecordType' || rowType.isNullable || rowType.fields.length === 0) return { kind: 'value', column: 'v', type: rowType };
  const names = memberNames(rowType.fields);
  return { kind: 'columns', columns: rowType.fields.map((field, i) => ({ name: names[i] ?? field.name, field })) };
}

/** The columns of a relation that is read under an alias, as SQL expressions. */
export function columnsOf(layout: RelationLayout, alias: string): readonly string[] {
  return layout.kind === 'value' ? [`${alias}.${quoteIdentifier(layout.column)}`] : layout.columns.map((column) => `${alias}.${quoteIdentifier(column.name)}`);
}

/** What the row of a relation is, where it is read under an alias. */
export function rowBinding(layout: RelationLayout, alias: string, present: string | null = null): Binding {
  const columns = columnsOf(layout, alias);
  return layout.kind === 'value' ? { kind: 'sql', sql: columns[0] ?? 'NULL' } : { kind: 'row', columns, present };
}

/** The row of a relation as one value. */
export function rowValue(layout: RelationLayout, alias: string): string {
  const columns = columnsOf(layout, alias);
  if (layout.kind === 'value') return columns[0] ?? 'NULL';
  return packRecord({ kind: 'RecordType', isNullable: false, fields: layout.columns.map((column) => column.field) }, columns);
}

/** The same rows in another layout of the same row type but for what may be NULL. */
export function withLayout(context: LoweringContext, relation: Relation, layout: RelationLayout): Relation {
  if (relation.layout.kind === layout.kind && layout.kind === 'value' && relation.layout.kind === 'value' && relation.layout.column === layout.column) return { ...relation, layout };
  const alias = freshName(context, 'r');
  const values = layout.kind === 'value' ? [rowValue(relation.layout, alias)] : partsOf(relation.layout, alias);
  const names = layout.kind === 'value' ? [layout.column] : layout.columns.map((column) => column.name);
  const items = values.map((sql, i) => `${sql} AS ${quoteIdentifier(names[i] ?? '')}`);
  return { sql: `SELECT ${items.join(', ')} FROM (${relation.sql}) AS ${alias}`, layout };
}

function partsOf(layout: RelationLayout, alias: string): readonly string[] {
  if (layout.kind === 'columns') return columnsOf(layout, alias);
  const column = columnsOf(layout, alias)[0] ?? 'NULL';
  return layout.type.kind === 'RecordType' ? memberParts(column, layout.type.fields).map((part) => part.expression) : [column];
}

const SET_WORDS = { 'union-all': 'UNION ALL', union: 'UNION', intersect: 'INTERSECT', except: 'EXCEPT' } as const;

function lowerSet(context: LoweringContext, plan: SetOperation, scope: Scope, options: RelationOptions): Relation {
  const layout = layoutOf(elementOf(plan.type));
  const isUnionAll = plan.operator === 'union-all';
  const operands = plan.operands.map((operand) => {
    const relation = withLayout(context, lowerRelation(context, operand, scope, { keepsOrder: isUnionAll && options.keepsOrder }), layout);
    return `SELECT * FROM (${relation.sql}) AS ${freshName(context, 'u')}`;
  });
  const sql = operands.join(` ${SET_WORDS[plan.operator]} `);
  return { sql: isUnionAll || !options.keepsOrder ? sql : orderedByAll(context, sql, layout), layout };
}

/** The rows in ascending order, NULL first. */
export function orderedByAll(context: LoweringContext, sql: string, layout: RelationLayout): string {
  const alias = freshName(context, 'o');
  return `SELECT * FROM (${sql}) AS ${alias} ORDER BY ${columnsOf(layout, alias).map((column) => `${column} ASC NULLS FIRST`).join(', ')}`;
}
