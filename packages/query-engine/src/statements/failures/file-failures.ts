import { NOT_UTF8 } from '@svc/text-formats';

import { fixed, type FailureRule } from './failure-rule.ts';
import { NO_PARQUET } from './no-parquet.ts';

/**
 * Failures of a file that is missing, cannot be decompressed, or is not text or Parquet. The reader of Parquet has more
 * messages than can be listed: `readingParquet` covers the others.
 */
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
  {
    pattern: /^Invalid Input Error: Failed to read file "([^"\n]*)"/,
    read: (m) => ({ failureClass: 'parquet', message: NO_PARQUET, details: { sourcePath: m[1] } }),
  },
  noParquet(/^Invalid Input Error: (?:DELTA_\w+ - |Failed to decode LEB128|Varint|Page)/),
  noParquet(/^Invalid Input Error: (?:Footer length error|No magic bytes|Failed to read (?:Parquet|metadata)|.*[Pp]arquet)/),
  noParquet(/^IO Error: .*(?:[Pp]arquet|thrift)/),
  noParquet(/^.*(?:TProtocolException|TTransportException|Snappy|ZSTD|GZIP|decompression failure)/),
];

function undecompressed(pattern: RegExp): FailureRule {
  return fixed(pattern, 'unreadable', 'the file cannot be decompressed');
}

function noParquet(pattern: RegExp): FailureRule {
  return fixed(pattern, 'parquet', NO_PARQUET);
}
