import type { ScanCondition } from './scan-condition.ts';

/** The columns and rows that a plan needs of a source, such as a table. */
export interface ScanNeeds {
  /** The source's name in the plan. */
  readonly source: string;
  /** The fields that are used, by their index in the row's type; null for all. */
  readonly fields: readonly number[] | null;
  /** Conditions that every relevant row satisfies. The plan checks them again, so additional rows do no harm. */
  readonly conditions: readonly ScanCondition[];
  /** Maximum number of rows used, of those that satisfy the conditions, in the order of the source; null for all. */
  readonly limit: number | null;
  /** The first of those rows in another order, if no others are used; null for all. */
  readonly top: ScanTop | null;
}

/** The first rows in an order. Rows that tie have none. */
export interface ScanTop {
  readonly rows: number;
  readonly order: readonly ScanOrder[];
}

/** A key of an order: a field that PostgreSQL orders as the engine does. */
export interface ScanOrder {
  readonly field: number;
  readonly isDescending: boolean;
  readonly areNullsFirst: boolean;
}

/** What is needed of the rows of a plan node; fields are those of its rows. */
export type RowNeeds = Omit<ScanNeeds, 'source'>;

/** All rows with all fields. */
export const ALL: RowNeeds = { fields: null, conditions: [], limit: null, top: null };

/** Returns a top of other fields; null if one of its fields has none. */
export function topOnFields({ rows, order }: ScanTop, indexOf: (field: number) => number | null): ScanTop | null {
  const found = order.flatMap((key) => {
    const field = indexOf(key.field);
    return field === null ? [] : [{ ...key, field }];
  });
  return found.length < order.length ? null : { rows, order: found };
}
