import { fixed, type FailureRule } from './failure-rule.ts';
import { NOT_UTF8 } from './not-utf8.ts';

/** Failures of a file that is missing, cannot be decompressed, or is not text or Parquet. */
export const FILE_FAILURES: readonly FailureRule[] = [
  {
    pattern: /^Invalid Input Error: read_text: could not read content of file '([^\n]*)' as valid UTF-8/,
    read: (m) => ({ failureClass: 'unreadable', message: NOT_UTF8, details: { sourcePath: m[1] } }),
  },
  fixed(
    /^(?:IO Error: (?:No files found|Cannot open file|Could not read|.*No such file)|Permission Error: Cannot access)/,
    'missing-file',
    'the file is not there or may not be read',
  ),
  undecompressed(/^(?:IO Error|Invalid Input Error): (?:Input is not a GZIP stream|Failed to decode gzip stream|Extra field[^\n]* GZIP)/),
  // zstd's names of faults in its input.
  undecompressed(
    /^IO Error: (?:Error \(generic\)|Unknown frame descriptor|Version not supported|Unsupported frame parameter|Frame requires too much memory|Data corruption detected|Restored data doesn't match|Header of Literals|Dictionary (?:is corrupted|mismatch)|Src size is incorrect|Unspecified error code|Operation not authorized|Destination buffer|tableLog requires|Unsupported max Symbol)/,
  ),
  // Exceptions without a class of their own come from the engine's Parquet reader.
  noParquet(/^Invalid Error: /),
  // Raised for the minimum and maximum in a Parquet file's statistics.
  noParquet(/^Invalid Input Error: Invalid unicode \(byte sequence mismatch\) detected in value construction/),
  // The reader names the file before any fault of its pages.
  noParquet(/^Invalid Input Error: Failed to read file "/),
  noParquet(/^Invalid Input Error: (?:DELTA_\w+ - |Failed to decode LEB128|Varint|Page)/),
  noParquet(/^Invalid Input Error: (?:Footer length error|No magic bytes|Failed to read (?:Parquet|metadata)|.*[Pp]arquet)/),
  noParquet(/^IO Error: .*(?:[Pp]arquet|thrift)/),
  // What the reader says of schemas, statistics and offsets, without naming the format.
  noParquet(
    /^[A-Z][\w ]* Error: (?:[\w():/ ]*converted type|Incorrect stats size|Prefetch registered|Variable-length int|Struct child row count|File '[^\n]*': metadata is corrupt|Corrupted VARIANT|FIXED_LEN_BYTE_ARRAY|MAP_KEY_VALUE|DECIMAL requires|Unimplemented TIME|Unsupported schema type|VARIANT schema|File (?:'[^\n]*' )?is (?:not )?encrypted)/,
  ),
  // The size of a buffer that is no size.
  noParquet(/^Out of Range Error: Can't find next power of 2 for /),
  noParquet(/^.*(?:TProtocolException|TTransportException|Snappy|ZSTD|GZIP|decompression failure)/),
];

function undecompressed(pattern: RegExp): FailureRule {
  return fixed(pattern, 'unreadable', 'the file cannot be decompressed');
}

function noParquet(pattern: RegExp): FailureRule {
  return fixed(pattern, 'parquet', 'the file cannot be read as Parquet');
}
