import { fixed, type FailureRule } from './failure-rule.ts';
import { NOT_UTF8 } from './not-utf8.ts';

/** A file that is not there, cannot be unpacked, or is no text or no Parquet. */
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
  fixed(/^IO Error: Input is not a GZIP stream/, 'unreadable', 'the file cannot be decompressed'),
  noParquet(/^Invalid Error: (?:Prefetch registered for bytes outside|don't know what type|invalid TType)/),
  noParquet(/^Invalid Input Error: (?:Footer length error|No magic bytes|Failed to read (?:Parquet|metadata)|.*[Pp]arquet)/),
  noParquet(/^IO Error: .*(?:[Pp]arquet|thrift)/),
  noParquet(/^.*(?:TProtocolException|TTransportException|Snappy|ZSTD|GZIP|decompression failure)/),
];

function noParquet(pattern: RegExp): FailureRule {
  return fixed(pattern, 'parquet', 'the file cannot be read as Parquet');
}
