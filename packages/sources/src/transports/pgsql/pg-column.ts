import { INTERVAL_CELL } from '@svc/pg-rows';
import type { FieldType, PrimitiveName, Type } from '@svc/query-language';
import { anyType, collectionOf, nullable } from '@svc/query-language';

/** PostgreSQL's description of a column. */
export interface DescribedColumn {
  readonly name: string;
  /** Type in PostgreSQL's notation: `numeric(10,2)`. */
  readonly written: string;
  /** Name of the type with domains resolved. Null for a type that is not built in, such as an enum. */
  readonly typeName: string | null;
  /** The same of the elements of an array. */
  readonly elementName: string | null;
  /** Type modifier, such as a precision. -1 without one. */
  readonly modifier: number;
  readonly isComposite: boolean;
  /** True if it is NOT NULL. */
  readonly isRequired: boolean;
}

/** Type of a column, and the SQL that reads it. */
export interface PgColumn {
  readonly field: FieldType;
  /** SQL of a cell for COPY, over the column `$x`. */
  readonly cell: string;
  /** SQL that compares as the language does, over the column `$x` and a value `$v`; null if that is not guaranteed. */
  readonly compared: { readonly column: string; readonly value: string } | null;
  /** `IS NULL` means the same. */
  readonly isNullComparable: boolean;
  /** The language has no such type. Its text is read. */
  readonly isText: boolean;
  /** SQL of the value as JSON, for types that are declared; null if it has no such form. */
  readonly json: string | null;
}

interface Mapping {
  readonly type: Type;
  readonly cell: string;
  readonly compared?: PgColumn['compared'];
  readonly isText?: boolean;
  readonly json?: string;
}

/** Prefix of a cell that every parser rejects, so that a value without a counterpart becomes an error that shows the value. */
export const NO_VALUE = '(PostgreSQL) ';

/** The database's encoding is UTF-8: the order of texts is that of code points, and every text can be written in it. */
export interface PgEncoding {
  readonly isUtf8: boolean;
}

/** Maps a column of PostgreSQL without loss; types without a counterpart are read as text. */
export function pgColumn(described: DescribedColumn, encoding: PgEncoding): PgColumn {
  const mapping = mappingOf(described, encoding);
  return {
    field: { name: described.name, type: described.isRequired ? mapping.type : nullable(mapping.type) },
    cell: mapping.cell,
    compared: mapping.compared ?? null,
    isNullComparable: !described.isComposite,
    isText: mapping.isText ?? false,
    json: mapping.json ?? null,
  };
}

function mappingOf(described: DescribedColumn, { isUtf8 }: PgEncoding): Mapping {
  const { typeName, elementName, modifier } = described;
  if (elementName !== null || described.written.endsWith('[]')) return arrayOf(elementName, modifier);
  switch (typeName ?? '') {
    case 'numeric':
      return numeric(modifier);
    case 'text':
    case 'varchar':
      return { ...plain('string'), ...(isUtf8 ? { compared: { column: '$x COLLATE "C"', value: '$v' } } : {}) };
    case 'bpchar': // the blanks that fill it up have no meaning in PostgreSQL: the cast to text takes them off
      return { ...plain('string', '$x::text'), ...(isUtf8 ? { compared: { column: '$x::text COLLATE "C"', value: '$v' } } : {}) };
    case 'json':
    case 'jsonb':
      return { type: anyType, cell: '$x', json: '$x' };
    default: {
      const known = typeName === null ? undefined : SIMPLE.get(typeName);
      return known ?? { ...plain('string'), isText: true };
    }
  }
}

const SAME = { column: '$x', value: '$v' } as const;

const SIMPLE: ReadonlyMap<string, Mapping> = new Map<string, Mapping>([
  ['int2', { ...plain('short'), compared: SAME }],
  ['int4', { ...plain('int'), compared: SAME }],
  ['int8', { ...plain('long'), compared: SAME }],
  ['float4', plain('float')],
  ['float8', plain('double')],
  ['bool', { ...plain('bool'), compared: SAME }],
  ['bytea', plain('binary')],
  ['time', plain('time')],
  ['date', { ...plain('date', inRange('$x', 'date')), compared: SAME }],
  ['timestamp', { ...plain('timestamp', inRange('$x', 'timestamp')), compared: SAME }],
  [
    'timestamptz',
    {
      ...plain('timestamp', inRange(`($x AT TIME ZONE 'UTC')`, 'timestamp')),
      compared: { column: '$x', value: `($v AT TIME ZONE 'UTC')` },
    },
  ],
  ['interval', plain('interval', INTERVAL_CELL)],
]);

function plain(name: Exclude<PrimitiveName, 'regex'>, cell = '$x'): Mapping {
  return { type: { kind: 'PrimitiveType', name, isNullable: false }, cell };
}

/** Values before the year 1, after 9999 and infinities have no counterpart. */
function inRange(x: string, type: 'date' | 'timestamp'): string {
  return `CASE WHEN ${x} >= '0001-01-01'::${type} AND ${x} < '10000-01-01'::${type} THEN ${x}::text ELSE '${NO_VALUE}' || ${x}::text END`;
}

/** Digits before and behind the point that a decimal has here. */
const [MOST_BEFORE, MOST_BEHIND] = [20, 18];
const MODIFIER_OFFSET = 4;

/** Returns the digits before and after the point for a numeric's modifier. Null without one. The scale has eleven bits and a sign. */
function digitsOf(modifier: number): { readonly before: number; readonly behind: number } | null {
  if (modifier < MODIFIER_OFFSET) return null;
  const [precision, scale] = [(modifier - MODIFIER_OFFSET) >> 16, (((modifier - MODIFIER_OFFSET) & 0x7ff) ^ 0x400) - 0x400];
  return { before: precision - scale, behind: Math.max(scale, 0) };
}

function numeric(modifier: number): Mapping {
  const digits = digitsOf(modifier);
  if (digits === null) return { ...plain('decimal', WITHIN_DIGITS), compared: SAME };
  if (digits.before > MOST_BEFORE || digits.behind > MOST_BEHIND) return { ...plain('string'), isText: true };
  return { ...plain('decimal'), compared: SAME };
}

/**
 * Values with more digits than a decimal allows cause an error when read. None is rounded silently. Servers before 13 have no
 * trim_scale.
 */
const WITHIN_DIGITS = `CASE WHEN scale($x) > ${MOST_BEHIND} AND $x <> trunc($x, ${MOST_BEHIND}) THEN '${NO_VALUE}' || $x::text ELSE $x::text END`;

const ELEMENTS: ReadonlyMap<string, PrimitiveName> = new Map([
  ['int2', 'short'],
  ['int4', 'int'],
  ['int8', 'long'],
  ['float4', 'float'],
  ['float8', 'double'],
  ['bool', 'bool'],
  ['text', 'string'],
  ['varchar', 'string'],
  ['bpchar', 'string'],
  ['date', 'date'],
  ['time', 'time'],
  ['timestamp', 'timestamp'],
  ['timestamptz', 'timestamp'],
]);

const [ARRAY, ARRAY_OF_TEXTS] = ['pg_catalog.to_json($x)', 'pg_catalog.to_json($x::text[])'];

/** Elements that can hold an array are texts or JSON: of an array of several dimensions, its text is sent, which is no collection. */
function ofOneDimension(json: string): string {
  return `CASE WHEN pg_catalog.array_ndims($x) > 1 THEN pg_catalog.to_json($x::text) ELSE ${json} END`;
}

/** Arrays are transferred as JSON. Only values have a known number of dimensions. Those with several cause an error when read. */
function arrayOf(elementName: string | null, modifier: number): Mapping {
  if (elementName === 'json' || elementName === 'jsonb')
    return { cell: ofOneDimension(ARRAY), json: ARRAY, type: collectionOf(nullable(anyType)) };
  const digits = elementName === 'numeric' ? digitsOf(modifier) : null;
  const isDecimal = digits !== null && digits.before <= MOST_BEFORE && digits.behind <= MOST_BEHIND;
  const name = isDecimal ? 'decimal' : elementName === null ? undefined : ELEMENTS.get(elementName);
  if (name !== undefined && name !== 'string')
    return { cell: ARRAY, json: ARRAY, type: collectionOf({ kind: 'PrimitiveType', name, isNullable: true }) };
  return {
    cell: ofOneDimension(ARRAY_OF_TEXTS),
    json: ARRAY_OF_TEXTS,
    isText: name === undefined,
    type: collectionOf({ kind: 'PrimitiveType', name: 'string', isNullable: true }),
  };
}
