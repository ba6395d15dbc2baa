export { createEnginePool, type EnginePool } from './instances/engine-pool.ts';
export type { EngineKind } from './instances/engine-kind.ts';
export type { EngineLease } from './instances/engine-lease.ts';
export type { EngineOptions } from './instances/engine-options.ts';
export { DECIMAL_SCALE, DECIMAL_WIDTH, duckType } from './representation/duck-type.ts';
export { memberNames } from './representation/member-names.ts';
export { quoteIdentifier, quoteText } from './representation/sql-text.ts';
export { classifyFailure } from './statements/classify-failure.ts';
export { copyToFile, type CopyToFile, type ParquetOptions } from './statements/copy-to-file.ts';
export { EngineFailure, isEngineFailure, type EngineFailureClass } from './statements/engine-failure.ts';
export { runStatement, type Statement, type StatementRow } from './statements/run-statement.ts';
export { freeBytes } from './statements/free-bytes.ts';
export { rowTypeOf, type RelationColumn, type RelationLayout } from './representation/relation-layout.ts';
export {
  MESSAGE_MARKS,
  printCopyRows,
  printMessageRows,
  printRows,
  type LineEnding,
  type MessageRowForm,
  type PrintedRows,
} from './results/print-rows.ts';
export {
  isTextFormat,
  RESULT_FORMATS,
  unsupportedPart,
  type FileFormatName,
  type ResultFormat,
  type ResultFormatName,
  type TextFormatName,
  type UnsupportedPart,
} from './results/result-format.ts';
export { ResultTooLarge, streamResult, type ResultStatement } from './results/stream-result.ts';
export { csvColumnTypes } from './infer/csv-column-types.ts';
export { inferParquet, type ParquetOptions as ParquetInferenceOptions } from './infer/infer-parquet.ts';
export { parquetChunks, type ParquetChunk } from './infer/parquet-chunks.ts';
export { DEFAULT_SAMPLE_SIZE, type Inferred } from './infer/inferred.ts';
export type {
  CsvField,
  CsvReadPlan,
  FileColumn,
  JsonFileLayout,
  JsonReadPlan,
  OnError,
  ParquetColumn,
  ParquetReadPlan,
  ReadFile,
  ReadPlan,
  TextReadPlan,
} from './readers/read-plan.ts';
export { locateMisread, type MisreadPlace } from './readers/locate-misread.ts';
export { constantReader } from './readers/constant-reader.ts';
export { readerSql, type Reader } from './readers/reader-sql.ts';
export { MOST_LINE_BYTES } from './readers/read-plan.ts';
export { tableFileReader, type TableFile } from './readers/table-reader.ts';
export { lowerPlan, type LoweredQuery } from './lowering/lower-plan.ts';
export type { LoweringEnvironment, RaisedFailure, ReaderRelation } from './lowering/lowering-context.ts';
export { LoweringUnsupported } from './lowering/lowering-unsupported.ts';
export { streamFile, type FileStatement, type FileStream } from './results/file-result.ts';
export { loadMessages, messagesRelation, type Message } from './messages/message-batch.ts';
export { prototypeText } from './readers/json-prototype.ts';
export { MOST_CSV_BUFFER_BYTES, MOST_CSV_LINE_BYTES } from './readers/csv-reader.ts';
