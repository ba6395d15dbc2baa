import type { FieldType, Type } from '@svc/query-language';

/** How a source is read, found out once: with it the engine guesses nothing. The files can be exchanged for others of the same kind. */
export type ReadPlan = CsvReadPlan | JsonReadPlan | ParquetReadPlan | TextReadPlan;

/** A file that the engine may read. */
export interface ReadFile {
  readonly path: string;
  /** Where it came from, as the caller writes it: its name tells JSON lines, and `file_name` shows it. */
  readonly location: string;
  /** Only the beginning of what is meant, up to the end of a line where there is one: it is looked at, and not read. */
  readonly isBeginning?: boolean;
}

/** A column whose value is the same for all rows of a file, such as its name or a part of its path. */
export interface FileColumn {
  readonly field: FieldType;
  /** The value for each file, as text that can be cast. */
  readonly values: readonly (string | null)[];
}

/** What becomes of a value that is none of its type: a failure, NULL, or its row is left out. */
export type OnError = 'fail' | 'null' | 'skip';
/** Compressions that are read as they stream. */
export type Compression = 'gzip' | 'zstd';

interface PlanBase {
  readonly files: readonly ReadFile[];
  /** They stand after the file's own columns. */
  readonly fileColumns: readonly FileColumn[];
  readonly onError: OnError;
  /** Null: by the file's name. */
  readonly compression: Compression | null;
  /** The type was found by looking at all data: it need not be checked again. */
  readonly isTrusted: boolean;
}

/** How a CSV file is written. */
export interface CsvDialect {
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
  readonly hasHeader: boolean;
  readonly skip: number;
  readonly nulls: readonly string[];
  readonly encoding: string | null;
}

/** How CSV files of one dialect are read. */
export interface CsvReadPlan extends PlanBase {
  readonly kind: 'csv';
  readonly dialect: CsvDialect;
  /** All columns of the file, in its order. */
  readonly columns: readonly FieldType[];
  /** The fields of a row and the columns that they come from; a field without a column is NULL. */
  readonly fields: readonly CsvField[];
  /**
   * Every cell of an integer column has been seen to be a whole number, and of a date or time to be one: the engine
   * makes one of others.
   */
  readonly areIntegersWhole: boolean;
}

/** A field of a row, and the column that it is read from, from 0; null of one that no file has. */
export interface CsvField {
  readonly field: FieldType;
  readonly column: number | null;
}

/** How documents stand in a JSON file. */
export type JsonFileLayout = 'array' | 'newline_delimited' | 'unstructured';

/** How JSON files are read. */
export interface JsonReadPlan extends PlanBase {
  readonly kind: 'json';
  /** For each file. */
  readonly layouts: readonly JsonFileLayout[];
  /** The type of one row: of an element, or of the document. */
  readonly rowType: Type;
  readonly isCollection: boolean;
  /** Integers must be written as such: the type was not told, so nobody asked for fractions to be cut off. */
  readonly areIntegersWhole: boolean;
  /** What the caller knows a document on a line as; only a row stands on the line of its number. */
  readonly countedAs: 'line' | 'row' | 'element' | 'value';
  /** Bytes of the largest document. */
  readonly maxObjectBytes: number;
  /** The type comes from a sample: a member that it lacks is a failure. A member that a told type lacks is passed over. */
  readonly isClosed: boolean;
  /** Paths of files with `prototypeText`, for the layouts that have such a text. */
  readonly prototypes?: Readonly<Partial<Record<JsonFileLayout, string>>>;
}

/** How Parquet files are read. */
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

/** How a field is read, over the relation `f` of the file's own columns. */
export interface ParquetColumn {
  readonly field: FieldType;
  /** Position of the top-level column in the files, from 0; null of one that none has. */
  readonly column: number | null;
  /** SQL of the value, as the engine carries the field's type. It fails where there is none and `onError` does not forgive it. */
  readonly value: string;
  /** SQL of whether a row has no such value; null where each has one. */
  readonly isUnfit: string | null;
}

/** A file as one string, as its lines, or as its bytes. */
export interface TextReadPlan extends PlanBase {
  readonly kind: 'text';
  readonly unit: 'text' | 'lines' | 'binary';
  readonly encoding: string | null;
}
