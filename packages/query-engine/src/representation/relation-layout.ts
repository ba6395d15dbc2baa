import type { FieldType, Type } from '@svc/query-language';

import { memberOf, SQL, textLiteral, variableRef, type Sql } from '../sql/sql.ts';
import { memberNames } from './member-names.ts';
import { quoteIdentifier } from './sql-text.ts';

/**
 * Representation of a relation's rows in columns: one column per field, if rows are records that are never NULL, or one
 * column that holds the row.
 */
export type RelationLayout =
  | { readonly kind: 'columns'; readonly columns: readonly RelationColumn[] }
  | {
      readonly kind: 'value';
      readonly column: string;
      readonly type: Type;
      /** Digits after the point of decimals, if they are fewer than those of the common type. */
      readonly scale?: number | undefined;
    };

/** A column that carries a field of the rows. */
export interface RelationColumn {
  /** The column's name in the SQL. */
  readonly name: string;
  readonly field: FieldType;
  /** Digits after the point of its decimals, if they are fewer than those of the common type. */
  readonly scale?: number | undefined;
}

/** The type of one row. */
export function rowTypeOf(layout: RelationLayout): Type {
  if (layout.kind === 'value') return layout.type;
  return { kind: 'RecordType', fields: layout.columns.map((column) => column.field), isNullable: false };
}

/** A part of a row with the SQL expression that reads it. */
export interface RowPart {
  readonly field: FieldType;
  readonly expression: Sql;
}

/** Returns the fields of a row with the expressions that read them from the relation `alias`; `null` if the row is not a record. */
export function rowParts(layout: RelationLayout, alias: string): readonly RowPart[] | null {
  if (layout.kind === 'columns') {
    return layout.columns.map((column) => ({ field: column.field, expression: columnIn(alias, column.name) }));
  }
  return layout.type.kind === 'RecordType' ? memberParts(columnIn(alias, layout.column), layout.type.fields) : null;
}

/** A column of the relation `alias`. */
export function columnIn(alias: string, name: string): Sql {
  return memberOf(variableRef(alias), name);
}

/** The members of a STRUCT expression. */
export function memberParts(record: Sql, fields: readonly FieldType[]): readonly RowPart[] {
  const names = memberNames(fields);
  return fields.map((field, i) => ({
    field,
    expression: SQL`struct_extract(${record}, ${textLiteral(names[i] ?? field.name)})`,
  }));
}

/** A SELECT in parts: the SQL of each column by name, and the text after FROM. */
export interface RelationPart {
  readonly columns: ReadonlyMap<string, string>;
  readonly from: string;
  /** Set if rows read as a whole, and records in them, require a check for unknown members. */
  readonly closed?: ClosedPart;
}

/** Another FROM, with a WHERE, that fails on members which the type lacks, if all its columns are read. */
export interface ClosedPart {
  readonly from: string;
  /** The columns read, each with the name of the column derived from it. */
  readonly sources: ReadonlyMap<string, string>;
  /** Columns without a derived one. */
  readonly others: readonly string[];
  /** The names of columns with records in them. */
  readonly nested: ReadonlySet<string>;
}

/**
 * Returns the FROM for some columns, of which some have records that are used by member. Unknown members matter only to a query
 * that uses rows, or records in them, as a whole.
 */
function fromOf({ from, closed }: RelationPart, names: ReadonlySet<string>, byMember: ReadonlySet<string>): string {
  if (closed === undefined) return from;
  const unread = [...closed.sources].filter(([name]) => !names.has(name)).map(([, source]) => source);
  const isWholeRow = unread.length === 0 && byMember.size === 0;
  if (!isWholeRow && ![...closed.nested].some((name) => names.has(name) && !byMember.has(name))) return from;
  const rest = [...unread, ...closed.others];
  return `${closed.from}${rest.length === 0 ? '' : ` AND hash(${rest.join(', ')}) % 2 < 2`}`;
}

/** Returns the SQL of parts that are united; of their columns all, or those of a layout; `usedByMember` are names of fields. */
export function uniteParts(parts: readonly RelationPart[], layout?: RelationLayout, usedByMember: readonly string[] = []): string {
  const columns = layout?.kind === 'columns' ? layout.columns : [];
  const byMember = new Set(columns.filter(({ field }) => usedByMember.includes(field.name)).map(({ name }) => name));
  return parts
    .map((part) => {
      const names = layout?.kind === 'columns' ? columns.map(({ name }) => name) : [...part.columns.keys()];
      const items = names.map((name) => `${part.columns.get(name) ?? 'NULL'} AS ${quoteIdentifier(name)}`);
      return `SELECT ${items.join(', ')} FROM ${fromOf(part, new Set(names), byMember)}`;
    })
    .join('\nUNION ALL ');
}
