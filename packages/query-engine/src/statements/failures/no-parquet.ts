/** Public message of a damaged Parquet file. */
export const NO_PARQUET = 'the file cannot be read as Parquet';
