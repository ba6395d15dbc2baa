export { createEnginePool, type EnginePool } from './instances/engine-pool.ts';
export type { EngineKind } from './instances/engine-kind.ts';
export type { EngineLease } from './instances/engine-lease.ts';
export { duckType } from './representation/duck-type.ts';
export { quoteText } from './representation/sql-text.ts';
export { EngineFailure, isEngineFailure, type EngineFailureClass } from './statements/engine-failure.ts';
export { runStatement } from './statements/run-statement.ts';
export { freeBytes } from './statements/free-bytes.ts';
export { rowTypeOf } from './representation/relation-layout.ts';
export {
  MESSAGE_MARKS,
  printCopyRows,
  printMessageRows,
  printRows,
  type LineEnding,
  type MessageRowForm,
  type PrintedRows,
} from './results/print-rows.ts';
export { isTextFormat, RESULT_FORMATS, unsupportedPart, type ResultFormatName, type UnsupportedPart } from './results/result-format.ts';
export { ResultTooLarge, streamResult } from './results/stream-result.ts';
export { csvColumnTypes } from './infer/csv-column-types.ts';
export { inferParquet } from './infer/infer-parquet.ts';
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
export { locateMisread } from './readers/locate-misread.ts';
export { constantReader } from './readers/constant-reader.ts';
export { readerSql, type Reader } from './readers/reader-sql.ts';
export { MOST_LINE_BYTES } from './readers/read-plan.ts';
export { countedRowsReader, tableFileReader } from './readers/table-reader.ts';
export { evaluateConstants, type WithLease } from './lowering/evaluate-constants.ts';
export { lowerPlan, lowerPrepared, preparePlan, type LoweredQuery } from './lowering/lower-plan.ts';
export type { RaisedFailure, ReaderRelation } from './lowering/lowering-context.ts';
export { LoweringUnsupported } from './lowering/lowering-unsupported.ts';
export { streamFile } from './results/file-result.ts';
export { loadMessages, messagesRelation, type Message } from './messages/message-batch.ts';
export { prototypeText } from './readers/json-prototype.ts';
export { MOST_CSV_BUFFER_BYTES, MOST_CSV_LINE_BYTES } from './readers/csv-reader.ts';
