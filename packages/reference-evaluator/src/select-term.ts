import type { Shape } from './shape.ts';
import type { Binary, Term } from './term.ts';

/** SELECT, and the terms that occur only in one. */

/** `*` of the SELECT `select`: its row, or its group. */
export interface Star {
  readonly kind: 'star';
  readonly shape: Shape;
  readonly select: Pick<Select, 'id' | 'sources'>;
  readonly isGroup: boolean;
}

/** A key of the SELECT around, written again as the expression that it is. */
export interface Key {
  readonly kind: 'key';
  readonly shape: Shape;
  readonly id: number;
  readonly written: Term;
}

/** A field merged by USING, by its name: the first of its parts that is not NULL. */
export interface Merged {
  readonly kind: 'merged';
  readonly shape: Shape;
  readonly name: string;
  readonly isBare: true;
  readonly parts: readonly Term[];
}

/** A source of its FROM. */
export interface Source {
  readonly id: number;
  readonly shape: Shape;
  /** Null if the source has no alias. */
  readonly alias: string | null;
  /** False if the name is that of the collection, without AS. */
  readonly isAliasWritten: boolean;
  readonly position: { readonly id: number; readonly name: string } | null;
  readonly collection: Term;
  readonly join: ',' | 'JOIN' | 'LEFT JOIN' | 'RIGHT JOIN' | 'FULL JOIN' | 'CROSS JOIN' | null;
  readonly on: Term | null;
  /** The fields merged by USING; their equality is in `on`. */
  readonly using: readonly Merged[];
}

/** An item of a SELECT. */
export interface Item {
  readonly value: Term;
  /** Name of the result's field; null for a single item with bare values. */
  readonly field: string | null;
  readonly isFieldWritten: boolean;
  /** The `*` it belongs to; the items of one are adjacent. */
  readonly spread?: Spread;
}

/** `*` or `alias.*`, with EXCLUDE and REPLACE. */
export interface Spread {
  readonly alias: string | null;
  readonly excluded: readonly string[];
  readonly replaced: readonly { readonly name: string; readonly value: Term }[];
}

/** An item of ORDER BY. */
export interface Order {
  readonly value: Term;
  readonly isDescending: boolean;
  readonly nulls: 'first' | 'last' | null;
}

/** A chain of set operators with ORDER BY, LIMIT and OFFSET; its right side is a SELECT. */
export interface OrderedChain {
  readonly kind: 'ordered-chain';
  readonly shape: Shape;
  readonly operands: Binary;
  readonly orderBy: readonly ChainKey[];
  readonly limit: Term | null;
  readonly offset: Term | null;
}

/** A field of the rows, by its name or position, or the row if it is not a record. */
export interface ChainKey {
  readonly index: number;
  /** Null for a position. */
  readonly name: string | null;
  readonly isOfRecord: boolean;
  readonly isDescending: boolean;
  readonly nulls: 'first' | 'last' | null;
}

/** An item in ORDER BY, by name or position. */
export interface ItemName {
  readonly kind: 'item-name';
  readonly shape: Shape;
  readonly select: number;
  readonly index: number;
  /** Null for a position. */
  readonly name: string | null;
}

/** A key of GROUP BY; `position` is that of its item, from 1, if it is written as a position. */
export interface GroupKey {
  readonly id: number;
  readonly value: Term;
  readonly alias: string | null;
  readonly position: number | null;
}

/** A SELECT of a random program. */
export interface Select {
  readonly kind: 'select';
  readonly shape: Shape;
  readonly id: number;
  readonly isDistinct: boolean;
  readonly items: readonly Item[];
  readonly sources: readonly Source[];
  readonly where: Term | null;
  readonly keys: readonly GroupKey[];
  /** `GROUP BY ROLLUP (keys)` */
  readonly isRolledUp: boolean;
  /** True for one group of all rows, whose result is no collection. */
  readonly isSingle: boolean;
  readonly having: Term | null;
  readonly qualify: Term | null;
  readonly orderBy: readonly Order[];
  readonly limit: Term | null;
  readonly offset: Term | null;
}

/** An aggregate of the rows of the SELECT `select`; without argument `COUNT(*)`. */
export interface Aggregate {
  readonly kind: 'aggregate';
  readonly shape: Shape;
  readonly select: number;
  readonly name: string;
  readonly argument: Term | null;
  /** The separator of STRING_AGG, the fraction of QUANTILE. */
  readonly separator: string | number | null;
  /** The sort key of ARG_MIN and ARG_MAX. */
  readonly by: Term | null;
  readonly isDistinct: boolean;
  readonly orderBy: readonly Order[];
  readonly filter: Term | null;
}

/** `name(argument) OVER (…)` on the rows of the SELECT `select`; without argument also `COUNT(*)`. */
export interface Window {
  readonly kind: 'window';
  readonly shape: Shape;
  readonly select: number;
  readonly name:
    | 'ROW_NUMBER'
    | 'RANK'
    | 'DENSE_RANK'
    | 'NTILE'
    | 'LAG'
    | 'LEAD'
    | 'FIRST_VALUE'
    | 'LAST_VALUE'
    | 'COUNT'
    | 'SUM'
    | 'AVG'
    | 'MIN'
    | 'MAX'
    | 'MEDIAN'
    | 'STDDEV'
    | 'MODE'
    | 'BOOL_AND'
    | 'BOOL_OR'
    | 'COUNT_DISTINCT';
  readonly argument: Term | null;
  /** Offset of LAG and LEAD; number of buckets of NTILE. */
  readonly offset: number | null;
  readonly partitionBy: readonly Term[];
  readonly orderBy: readonly Order[];
  /** `ROWS BETWEEN n PRECEDING AND CURRENT ROW` */
  readonly rowsBefore: number | null;
}
