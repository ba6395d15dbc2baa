import type { FieldType, Type } from '@svc/query-language';
import type { Compression, CsvDialect } from '@svc/text-formats';

/** Plan for reading a source, determined once, so that the engine infers nothing. The files can be replaced by others of the same kind. */
export type ReadPlan = CsvReadPlan | JsonReadPlan | ParquetReadPlan | TextReadPlan;

/** A file that the engine may read. */
export interface ReadFile {
  readonly path: string;
  /** Location as the user wrote it: its name indicates JSON lines, and `file_name` returns it. */
  readonly location: string;
  /** True for the beginning of a longer file, up to the end of a line if there is one: it is sampled, not read. */
  readonly isBeginning?: boolean;
}

/** A column with the same value for all rows of a file, such as its name or a part of its path. */
export interface FileColumn {
  readonly field: FieldType;
  /** The value for each file as text that can be cast. */
  readonly values: readonly (string | null)[];
}

/** Handling of an invalid value: failure, NULL, or skip of its row. */
export type OnError = 'fail' | 'null' | 'skip';

/** Maximum number of bytes in a line of `READ_LINES`, and in a row that is to be stored. */
export const MOST_LINE_BYTES = 16 * 1024 * 1024;

interface PlanBase {
  readonly files: readonly ReadFile[];
  /** They stand after the file's own columns. */
  readonly fileColumns: readonly FileColumn[];
  readonly onError: OnError;
  /** Null if the file's name determines it. */
  readonly compression: Compression | null;
  /** True if the type was inferred from all data: values need no further check. */
  readonly isTrusted: boolean;
  /**
   * The rows are to be stored: a decimal keeps all its digits, a CSV cell of a nested type is NULL, a row is as long as `MOST_LINE_BYTES`,
   * and failures name the field, what was expected and what was found.
   */
  readonly isForStorage?: boolean;
}

/** Plan for CSV files of one dialect. */
export interface CsvReadPlan extends PlanBase {
  readonly kind: 'csv';
  readonly dialect: CsvDialect;
  /** All columns of the file, in order. */
  readonly columns: readonly FieldType[];
  /** The fields of a row and their columns; a field without a column is NULL. */
  readonly fields: readonly CsvField[];
  /** True if every cell of the integer, date and time columns has been verified: the engine would convert invalid ones. */
  readonly areIntegersWhole: boolean;
}

/** A field of a row, and the column that it is read from, from 0; null of one that no file has. */
export interface CsvField {
  readonly field: FieldType;
  readonly column: number | null;
  /** The type is `long`, and a double holds each integer of the sample exactly. */
  readonly fitsDouble?: boolean;
}

/** Layout of the documents in a JSON file. */
export type JsonFileLayout = 'array' | 'newline_delimited' | 'unstructured';

/** Plan for JSON files. */
export interface JsonReadPlan extends PlanBase {
  readonly kind: 'json';
  /** Layout of each file. */
  readonly layouts: readonly JsonFileLayout[];
  /** The type of one row: of an element, or of the document. */
  readonly rowType: Type;
  readonly isCollection: boolean;
  /** True if integers must be written as such: the type was inferred, so fractions are not truncated. */
  readonly areIntegersWhole: boolean;
  /** Unit in which the user counts documents; only `row` counts lines. */
  readonly countedAs: 'line' | 'row' | 'element' | 'value';
  /** Bytes of the largest document. */
  readonly maxObjectBytes: number;
  /** True if the type comes from a sample: an unknown member is a failure. Members missing from a declared type are ignored. */
  readonly isClosed: boolean;
  /** Paths of files with `prototypeText`, for the layouts that have such a text. */
  readonly prototypes?: Readonly<Partial<Record<JsonFileLayout, string>>>;
}

/** Plan for Parquet files. */
export interface ParquetReadPlan extends PlanBase {
  readonly kind: 'parquet';
  /** In the order of the files. */
  readonly parts: readonly ParquetPart[];
}

/** Files that follow each other and are laid out alike. */
export interface ParquetPart {
  readonly files: readonly ReadFile[];
  /** The same fields in each part. */
  readonly columns: readonly ParquetColumn[];
}

/** Expression of a field over the relation `f` of the file's own columns. */
export interface ParquetColumn {
  readonly field: FieldType;
  /** Position of the top-level column in the files, from 0; null if none has it. */
  readonly column: number | null;
  /** Digits after the point of its decimals where they are known. */
  readonly scale?: number | undefined;
  /** SQL of the value in the representation of the field's type. It fails for an invalid one unless `onError` tolerates it. */
  readonly value: string;
  /** SQL of the condition that a row has no such value; null if every row has one. */
  readonly isUnfit: string | null;
}

/** A file as one string, as its lines, or as its bytes. */
export interface TextReadPlan extends PlanBase {
  readonly kind: 'text';
  readonly unit: 'text' | 'lines' | 'binary';
  readonly encoding: string | null;
}

/** A field of the rows with the text of the expression that reads it. */
export interface ReadPart {
  readonly field: FieldType;
  readonly expression: string;
  /** Digits after the point of its decimals where they are known. */
  readonly scale?: number | undefined;
}
