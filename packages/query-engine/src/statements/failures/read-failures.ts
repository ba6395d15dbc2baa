import { READ_MESSAGES } from '@svc/text-formats';

import type { EngineFailureDetails } from '../engine-failure.ts';
import { cutValue, fixed, lowerFirst, type FailureReading, type FailureRule } from './failure-rule.ts';
import { typeWord } from './type-word.ts';

/**
 * Failures of reading files. The readers have more messages than can be listed: `readingParquet` covers those of Parquet that
 * are not.
 */
export const READ_FAILURES: readonly FailureRule[] = [
  { pattern: /^(?:Conversion|Invalid Input) Error: CSV Error on Line: (\d+)/, read: readCsvLine },
  {
    pattern: /^Not implemented Error: The Parallel CSV Reader currently/,
    read: () => ({ failureClass: 'csv', message: READ_MESSAGES.someLongLine, details: { sourceLine: Infinity } }),
  },
  {
    pattern: /^Invalid Input Error: The CSV Parser state machine reached an invalid state/,
    read: (_, text) => ({ failureClass: 'csv', message: READ_MESSAGES.unlikeLineEnds, details: { sourcePath: csvPath(text) } }),
  },
  fixed(
    /^Invalid Input Error: (?:CSV Error|The CSV Parser|Error when sniffing|Error in file|It was not possible to automatically detect the CSV)/,
    'csv',
    READ_MESSAGES.notOfFormat('CSV'),
  ),
  fixed(/^Binder Error: [A-Z]+ must not appear in the [A-Z]+ specification/, 'csv', READ_MESSAGES.equalDelimiters),
  {
    pattern: /^Invalid Input Error: JSON transform error in file ("?)([\s\S]*?)\1, in (line|record\/value) (\d+): ([^\n]*)/,
    read: ([, , path, unit, at, reason = '']) => {
      const member = / has unknown key "(.*)"$/.exec(reason)?.[1];
      const what = member === undefined ? withoutPaths(lowerFirst(reason)) : READ_MESSAGES.unknownMember(member);
      return jsonFailure(`${placeOf(unit, at)}: ${what}`, {
        sourceLine: Number(at),
        sourcePath: path,
        fault: member === undefined ? undefined : 'unknown-member',
      });
    },
  },
  {
    pattern: /^Invalid Input Error: Malformed JSON in file ("?)([\s\S]*?)\1, at byte \d+ in (line|record\/value) (\d+): ([^\n]*)/,
    read: ([, , path, unit, at, reason = '']) =>
      jsonFailure(
        `near ${placeOf(unit, at)}: ${READ_MESSAGES.malformedJson(
          withoutPaths(reason)
            .replace(/\. Try [^\n]*$/, '')
            .trim(),
        )}`,
        {
          sourceLine: Number(at),
          sourcePath: path,
        },
      ),
  },
  fixed(/^Invalid Input Error: (?:"maximum_object_size"|.*maximum_object_size)/, 'json', READ_MESSAGES.largeJson),
  fixed(/^Invalid Input Error: JSON/, 'json', READ_MESSAGES.notOfFormat('JSON')),
  {
    pattern: /^Invalid Input Error: read_text: could not read content of file '([^\n]*)' as valid UTF-8/,
    read: ([, path]) => ({ failureClass: 'unreadable', message: READ_MESSAGES.notUtf8, details: { sourcePath: path, fault: 'not-utf8' } }),
  },
  fixed(
    /^(?:IO Error: (?:No files found|Cannot open file|Could not read|.*No such file)|Permission Error: Cannot access)/,
    'missing-file',
    READ_MESSAGES.missingFile,
  ),
  notDecompressed(/^(?:IO Error|Invalid Input Error): (?:Input is not a GZIP stream|Failed to decode gzip stream|Extra field[^\n]* GZIP)/),
  // zstd's names of faults in its input.
  notDecompressed(
    /^IO Error: (?:Error \(generic\)|Unknown frame descriptor|Version not supported|Unsupported frame parameter|Frame requires too much memory|Data corruption detected|Restored data doesn't match|Header of Literals|Dictionary (?:is corrupted|mismatch)|Src size is incorrect|Unspecified error code|Operation not authorized|Destination buffer|tableLog requires|Unsupported max Symbol)/,
  ),
  {
    pattern: /^Invalid Input Error: Invalid string encoding found in Parquet file "([^"\n]*)": value "([^\n]*)" is not valid UTF8/,
    read: ([, path, value = '']) => parquetFailure(READ_MESSAGES.textNotUtf8(cutValue(value)), path),
  },
  {
    pattern: /^Invalid Input Error: File '([^'\n]*)' is encrypted/,
    read: ([, path]) => parquetFailure(READ_MESSAGES.encrypted, path),
  },
  // Exceptions without a class of their own come from the engine's Parquet reader.
  notParquet(/^Invalid Error: /),
  // Raised for the minimum and maximum in a Parquet file's statistics.
  notParquet(/^Invalid Input Error: Invalid unicode \(byte sequence mismatch\) detected in value construction/),
  // The reader names the file before any fault of its pages.
  notParquet(/^Invalid Input Error: Failed to read file "([^"\n]*)"/),
  notParquet(/^Invalid Input Error: (?:DELTA_\w+ - |Failed to decode LEB128|Varint|Page)/),
  notParquet(/^Invalid Input Error: (?:Footer length error|No magic bytes|Failed to read (?:Parquet|metadata)|.*[Pp]arquet)/),
  notParquet(/^IO Error: .*(?:[Pp]arquet|thrift)/),
  notParquet(/^.*(?:TProtocolException|TTransportException|Snappy|ZSTD|GZIP|decompression failure)/),
];

const NOT_UTF8 = /\nInvalid unicode/;

function readCsvLine([, line = '']: RegExpExecArray, text: string): FailureReading {
  const sourcePath = csvPath(text);
  const [, sourceColumn, value = '', type = ''] =
    /\nError when converting column "([^\n]*)"\. Could not convert string "([\s\S]*?)" to '([^'\n]*)'/.exec(text) ?? [];
  const message =
    sourceColumn === undefined
      ? csvLineFault(`line ${line}`, text)
      : `line ${line}, column ${sourceColumn}: ${READ_MESSAGES.misfit(cutValue(value), typeWord(type))}`;
  const fault = NOT_UTF8.test(text) ? 'not-utf8' : undefined;
  return { failureClass: 'csv', message, details: { sourceLine: Number(line), sourceColumn, sourcePath, fault } };
}

function csvPath(text: string): string | undefined {
  return /\n {2}file = ([^\n]*)\n/.exec(text)?.[1];
}

function csvLineFault(place: string, text: string): string {
  const [, mostBytes] = /\nMaximum line size of (\d+) bytes exceeded/.exec(text) ?? [];
  if (mostBytes !== undefined) return READ_MESSAGES.longLine(place, Number(mostBytes));
  if (NOT_UTF8.test(text)) return `${place}: ${READ_MESSAGES.notUtf8}`;
  if (/\nValue with unterminated quote/.test(text)) return `${place}: ${READ_MESSAGES.openQuote}`;
  const [, expected, found = ''] = /\nExpected Number of Columns: (\d+) Found: (\d+)/.exec(text) ?? [];
  return `${place}: ${expected === undefined ? READ_MESSAGES.notCsvLine : READ_MESSAGES.columnCount(expected, found)}`;
}

function jsonFailure(message: string, details: EngineFailureDetails): FailureReading {
  return { failureClass: 'json', message, details };
}

function placeOf(engineWord: string | undefined, at: string | undefined): string {
  return `${engineWord === 'line' ? 'line' : 'element'} ${at ?? ''}`;
}

function withoutPaths(text: string): string {
  return text.replace(/"?\/[^\s"]*\/[^\s"]*"?/g, '…');
}

function notDecompressed(pattern: RegExp): FailureRule {
  return fixed(pattern, 'unreadable', READ_MESSAGES.notDecompressed);
}

/** The pattern may capture the path. */
function notParquet(pattern: RegExp): FailureRule {
  return { pattern, read: ([, path]) => parquetFailure(READ_MESSAGES.notOfFormat('Parquet'), path) };
}

function parquetFailure(message: string, sourcePath: string | undefined): FailureReading {
  return { failureClass: 'parquet', message, details: { sourcePath } };
}
