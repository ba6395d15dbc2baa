import { NOT_UTF8 } from '@svc/text-formats';

import { cutValue, fixed, type FailureReading, type FailureRule } from './failure-rule.ts';
import { typeWord } from './type-word.ts';

/** CSV errors of the engine, with line and column if the message has them. */
export const CSV_FAILURES: readonly FailureRule[] = [
  { pattern: /^(?:Conversion|Invalid Input) Error: CSV Error on Line: (\d+)/, read: readCsvError },
  {
    pattern: /^Not implemented Error: The Parallel CSV Reader currently/,
    read: () => ({ failureClass: 'csv', message: 'a line is longer than a line may be', details: { isLongLine: true } }),
  },
  {
    pattern:
      /^Invalid Input Error: (?:CSV Error|The CSV Parser|Error when sniffing|Error in file|It was not possible to automatically detect the CSV)/,
    read: () => ({ failureClass: 'csv', message: 'the file cannot be read as CSV' }),
  },
  fixed(
    /^Binder Error: [A-Z]+ must not appear in the [A-Z]+ specification/,
    'csv',
    'delimiter, quote, escape and nulls must differ, and none may be part of another',
  ),
];

function readCsvError(match: RegExpExecArray, text: string): FailureReading {
  const sourceLine = Number(match[1]);
  const sourcePath = /\n {2}file = ([^\n]*)\n/.exec(text)?.[1];
  const conversion = /\nError when converting column "([^\n]*)"\. Could not convert string "([\s\S]*?)" to '([^'\n]*)'/.exec(text);
  if (conversion !== null) {
    const sourceColumn = conversion[1] ?? '';
    const message = `line ${sourceLine}, column ${sourceColumn}: '${cutValue(conversion[2] ?? '')}' is no ${typeWord(conversion[3] ?? '')}`;
    return { failureClass: 'csv', message, details: { sourceLine, sourceColumn, sourcePath, line: undefined } };
  }
  if (/\nInvalid unicode/.test(text))
    return { failureClass: 'csv', message: `line ${sourceLine}: ${NOT_UTF8}`, details: { sourceLine, sourcePath, line: undefined } };
  const limit = /\nMaximum line size of (\d+) bytes exceeded/.exec(text)?.[1];
  if (limit !== undefined) {
    const message = `line ${sourceLine} is longer than ${Math.floor(Number(limit) / 1_000_000)} MB`;
    return { failureClass: 'csv', message, details: { sourceLine, sourcePath, line: undefined } };
  }
  if (/\nValue with unterminated quote/.test(text)) {
    const message = `line ${sourceLine}: a quoted cell does not end, or there is text after the closing quote`;
    return { failureClass: 'csv', message, details: { sourceLine, sourcePath, line: undefined } };
  }
  const columns = /\nExpected Number of Columns: (\d+) Found: (\d+)/.exec(text);
  const what = columns !== null ? `expected ${columns[1] ?? ''} columns but found ${columns[2] ?? ''}` : 'the line cannot be read as CSV';
  return { failureClass: 'csv', message: `line ${sourceLine}: ${what}`, details: { sourceLine, sourcePath, line: undefined } };
}
