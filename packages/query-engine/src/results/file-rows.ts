import type { FieldType, Type } from '@svc/query-language';

import { columnIn, rowParts, type RelationLayout } from '../representation/relation-layout.ts';
import { sqlText } from '../sql/print-sql.ts';
import { aliased, columnRef, joinSql, TRUE, type Sql } from '../sql/sql.ts';
import { fileValue, type FileForm } from './file-value.ts';

/** A column of a file: its name, the SQL that reads it, and the type of its values. */
export interface FileColumn {
  readonly name: string;
  readonly expression: Sql;
  readonly type: Type;
}

const ALIAS = 'r';

/** Returns the columns of a file: those of the rows' records, or `value` if rows are bare values or empty records. */
export function fileColumns(layout: RelationLayout, names: FileForm['names']): readonly FileColumn[] {
  const parts = rowParts(layout, ALIAS);
  if (parts === null || parts.length === 0) return [valueColumn(layout)];
  const isRowNullable = layout.kind === 'value' && layout.type.isNullable;
  const columnNames = names(parts.map(({ field }) => field));
  return parts.map(({ field, expression }, i) => ({
    name: columnNames[i] ?? '',
    expression,
    type: isRowNullable ? orNull(field) : field.type,
  }));
}

/**
 * SQL of the relation with a file's columns. The empty set of rows at the end has no place in the order of parallel work: so
 * the engine writes one row group after the other. Rows produced in parallel would be gathered until it is their turn, in
 * 2 GB for rows of 2 KB.
 */
export function fileRowsSql(
  relationSql: string,
  { columns, form }: { readonly columns: readonly FileColumn[]; readonly form: FileForm },
): string {
  const items = columns.map(({ name, expression, type }) =>
    aliased({ name: columnRef(name), sql: fileValue(expression, type, form) ?? expression }),
  );
  const none = `SELECT ${columns.map(() => 'NULL').join(', ')} FROM range(0)`;
  return `SELECT ${sqlText(joinSql(items))} ${fromRelation(relationSql)}\nUNION ALL ${none}`;
}

/** The clause in which the expressions of `fileColumns` stand. */
export function fromRelation(relationSql: string): string {
  return `FROM (\n${relationSql}\n) AS ${ALIAS}`;
}

function valueColumn(layout: RelationLayout): FileColumn {
  if (layout.kind === 'columns') return { name: 'value', expression: TRUE, type: { kind: 'RecordType', fields: [], isNullable: false } };
  return { name: 'value', expression: columnIn(ALIAS, layout.column), type: layout.type };
}

function orNull({ type }: FieldType): Type {
  return type.kind === 'ErrorType' ? type : { ...type, isNullable: true };
}
