import {
  bytesOf,
  encodeInteger,
  encodeStructs,
  fieldOf,
  integerOf,
  itemsOf,
  readThriftStruct,
  type ThriftValue,
} from './thrift-compact.ts';

/** A row group of a Parquet file, as its footer describes it. */
export interface RowGroup {
  readonly rows: number;
  /** By the position of the top-level column, for columns whose bounds are comparable with a constant. */
  readonly columns: ReadonlyMap<number, ColumnBounds>;
}

/** Comparison of a column's values: integers as numbers, dates by days and timestamps by microseconds, texts by bytes. */
export type BoundKind = 'integer' | 'date' | 'timestamp' | 'string';

/** Bounds of a column's values in one row group. */
export interface ColumnBounds {
  readonly kind: BoundKind;
  /** Null if unknown. Bounds of texts may be truncated, and a truncated maximum is not always incremented. */
  readonly min: bigint | Buffer | null;
  readonly max: bigint | Buffer | null;
  readonly nulls: number | null;
  readonly values: number | null;
}

/** Field ids of the format's structs. */
const FILE = { schema: 2, rows: 3, rowGroups: 4, columnOrders: 7, encryption: 8 } as const;
const SCHEMA = { type: 1, repetition: 3, children: 5, converted: 6, logical: 10 } as const;
const GROUP = { columns: 1, rows: 3 } as const;
const CHUNK = { metadata: 3 } as const;
const COLUMN = { values: 5, statistics: 12 } as const;
const STATISTICS = { nulls: 3, max: 5, min: 6 } as const;

/** Reads the row groups of a Parquet file from its footer, in order. Returns null if the footer cannot be parsed. */
export function readRowGroups(footer: Buffer): readonly RowGroup[] | null {
  const file = parse(footer);
  if (file === null) return null;
  const columns = columnsOf(itemsOf(fieldOf(file, FILE.schema)), fieldOf(file, FILE.columnOrders) !== undefined);
  const groups = itemsOf(fieldOf(file, FILE.rowGroups)).map((group): RowGroup | null => {
    const rows = integerOf(fieldOf(group, GROUP.rows));
    return rows === null ? null : { rows, columns: boundsOf(itemsOf(fieldOf(group, GROUP.columns)), columns) };
  });
  return groups.includes(null) ? null : groups.filter((group) => group !== null);
}

/** Returns a footer for the file with only the given row groups, at their original offsets. It is never longer than the original. */
export function keepRowGroups(footer: Buffer, kept: readonly number[]): Buffer {
  const file = parse(footer);
  const [rows, groups] = [fieldOf(file ?? undefined, FILE.rows), fieldOf(file ?? undefined, FILE.rowGroups)];
  if (rows === undefined || groups === undefined || rows.end > groups.start) throw new Error('a footer that was read before can be read');
  const chosen = itemsOf(groups).filter((_, i) => kept.includes(i));
  const sum = chosen.reduce((total, group) => total + (integerOf(fieldOf(group, GROUP.rows)) ?? 0), 0);
  return Buffer.concat([
    footer.subarray(0, rows.start),
    encodeInteger(sum),
    footer.subarray(rows.end, groups.start),
    encodeStructs(chosen.map(({ start, end }) => footer.subarray(start, end))),
    footer.subarray(groups.end),
  ]);
}

function parse(footer: Buffer): ThriftValue | null {
  try {
    const file = readThriftStruct(footer);
    const [rows, groups] = [fieldOf(file, FILE.rows), fieldOf(file, FILE.rowGroups)];
    const isPlain = rows !== undefined && groups !== undefined && rows.end <= groups.start && fieldOf(file, FILE.encryption) === undefined;
    return isPlain ? file : null;
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

/** A leaf of the schema that is a top-level column. */
interface LeafColumn {
  readonly column: number;
  readonly values: ColumnValues;
}

interface ColumnValues {
  readonly kind: BoundKind;
  /** Bytes of a value; null of a text. */
  readonly width: 4 | 8 | null;
  /** Units of comparison per stored unit. */
  readonly unit: bigint;
}

/** By the position of the leaf, which is that of its chunk. */
function columnsOf(schema: readonly ThriftValue[], hasOrders: boolean): ReadonlyMap<number, LeafColumn> {
  const found = new Map<number, LeafColumn>();
  let [at, leaf] = [1, 0];
  const skip = (): void => {
    for (let left = 1; left > 0 && at < schema.length; left -= 1) {
      const children = integerOf(fieldOf(schema[at++], SCHEMA.children)) ?? 0;
      if (children === 0) leaf += 1;
      left += children;
    }
  };
  const count = integerOf(fieldOf(schema[0], SCHEMA.children)) ?? 0;
  for (let column = 0; column < count && at < schema.length; column += 1) {
    const values = valuesOf(schema[at]);
    // Without column orders the comparison of texts is undefined; integers have only one.
    if (values !== null && (hasOrders || values.kind !== 'string')) found.set(leaf, { column, values });
    skip();
  }
  return found;
}

const PHYSICAL = { int32: 1, int64: 2, bytes: 6 } as const;
const REPEATED = 2;
const LOGICAL = { string: 1, date: 6, timestamp: 8, integer: 10 } as const;
const CONVERTED = { string: 0, date: 6, millis: 9, micros: 10, int8: 15, int64: 18 } as const;
const INTEGER: Omit<ColumnValues, 'width'> = { kind: 'integer', unit: 1n };
const DATE: Omit<ColumnValues, 'width'> = { kind: 'date', unit: 1n };
const TEXT: Omit<ColumnValues, 'width'> = { kind: 'string', unit: 1n };

/**
 * Null for types that compare differently, or have no usable statistics: floats (whose statistics omit NaN), decimals,
 * unsigned integers, nanoseconds.
 */
function valuesOf(element: ThriftValue | undefined): ColumnValues | null {
  const type = integerOf(fieldOf(element, SCHEMA.type));
  if (integerOf(fieldOf(element, SCHEMA.repetition)) === REPEATED) return null;
  const width = type === PHYSICAL.int32 ? 4 : type === PHYSICAL.int64 ? 8 : null;
  const logical = fieldOf(element, SCHEMA.logical);
  const found = logical === undefined ? convertedOf(integerOf(fieldOf(element, SCHEMA.converted))) : logicalOf(logical);
  if (found === null) return null;
  const isText = found.kind === 'string';
  const isWide = found.kind === 'date' ? width === 4 : found.kind === 'timestamp' ? width === 8 : width !== null;
  return (isText ? type === PHYSICAL.bytes : isWide) ? { ...found, width } : null;
}

function logicalOf(logical: ThriftValue): Omit<ColumnValues, 'width'> | null {
  if (fieldOf(logical, LOGICAL.string) !== undefined) return TEXT;
  if (fieldOf(logical, LOGICAL.date) !== undefined) return DATE;
  const integer = fieldOf(fieldOf(logical, LOGICAL.integer), 2)?.content;
  if (integer !== undefined) return integer.kind === 'boolean' && integer.value ? INTEGER : null;
  const unit = fieldOf(fieldOf(logical, LOGICAL.timestamp), 2);
  if (fieldOf(unit, 1) !== undefined) return { kind: 'timestamp', unit: 1000n };
  return fieldOf(unit, 2) === undefined ? null : { kind: 'timestamp', unit: 1n };
}

function convertedOf(converted: number | null): Omit<ColumnValues, 'width'> | null {
  if (converted === null) return INTEGER;
  if (converted === CONVERTED.string) return TEXT;
  if (converted === CONVERTED.date) return DATE;
  if (converted === CONVERTED.millis) return { kind: 'timestamp', unit: 1000n };
  if (converted === CONVERTED.micros) return { kind: 'timestamp', unit: 1n };
  return converted >= CONVERTED.int8 && converted <= CONVERTED.int64 ? INTEGER : null;
}

function boundsOf(chunks: readonly ThriftValue[], columns: ReadonlyMap<number, LeafColumn>): ReadonlyMap<number, ColumnBounds> {
  const bounds = new Map<number, ColumnBounds>();
  for (const [leaf, { column, values }] of columns) {
    const metadata = fieldOf(chunks[leaf], CHUNK.metadata);
    const statistics = fieldOf(metadata, COLUMN.statistics);
    const bound = (id: number): bigint | Buffer | null => boundOf(bytesOf(fieldOf(statistics, id)), values);
    bounds.set(column, {
      kind: values.kind,
      min: bound(STATISTICS.min),
      max: bound(STATISTICS.max),
      nulls: integerOf(fieldOf(statistics, STATISTICS.nulls)),
      values: integerOf(fieldOf(metadata, COLUMN.values)),
    });
  }
  return bounds;
}

function boundOf(bytes: Buffer | null, { kind, width, unit }: ColumnValues): bigint | Buffer | null {
  if (bytes === null) return null;
  if (kind === 'string') return Buffer.from(bytes); // the footer is let go of
  if (bytes.length !== width) return null;
  return (width === 4 ? BigInt(bytes.readInt32LE()) : bytes.readBigInt64LE()) * unit;
}
