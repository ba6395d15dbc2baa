/** Dialect of a CSV file. */
export interface CsvDialect {
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
  readonly hasHeader: boolean;
  readonly skip: number;
  readonly nulls: readonly string[];
  readonly encoding: string | null;
}
