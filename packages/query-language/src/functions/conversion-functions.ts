import { ownValue } from '../own-value.ts';
import { PRINTING_TEMPLATE, readingTemplate } from './constant-argument.ts';
import { defineFamily } from './define-function.ts';

const TARGETS = ['byte', 'short', 'int', 'long', 'float', 'double', 'decimal'] as const;

const EXAMPLES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  byte: [['BYTE("12")', '12']],
  short: [['SHORT(12.9)', '12']],
  int: [
    ['INT("42")', '42'],
    ['INT(-1.7)', '-1'],
  ],
  long: [['LONG("9007199254740993")', '9007199254740993']],
  float: [['FLOAT("1.5")', '1.5']],
  double: [['DOUBLE(2)', '2.0']],
  decimal: [['DECIMAL("1.50")', '1.5']],
};

/** Conversions of numbers, texts and booleans: CAST as functions. */
export const CONVERSION_FUNCTIONS = defineFamily('conversion', [
  ...TARGETS.map((target) => ({
    name: target.toUpperCase(),
    summary: `Turns a number, a text or a truth value into ${target}.`,
    signatures: [`(value: string) -> ${target}`, `(value: bool) -> ${target}`, `(value: N) -> ${target}`],
    examples: ownValue(EXAMPLES, target) ?? [],
  })),
  {
    name: 'STRING',
    summary: 'The text of a value, as in JSON without the quotes.',
    signatures: ['(value: T) -> string'],
    examples: [
      ['STRING(1.5)', '"1.5"'],
      ['STRING(NULL)', 'null'],
    ],
  },
  {
    name: 'BOOL',
    summary: 'Turns a number or a text into a truth value: 0 is false, "true" is true.',
    signatures: ['(value: string) -> bool', '(value: bool) -> bool', '(value: N) -> bool'],
    examples: [
      ['BOOL("true")', 'true'],
      ['BOOL(0)', 'false'],
    ],
  },
  {
    name: 'TO_DATE',
    constantArgument: readingTemplate('date'),
    summary: 'The date that a text means by a constant template: strictly, and an error where it does not fit.',
    signatures: ['(text: string, template: string) -> date'],
    examples: [
      ['TO_DATE("29/02/2024", "dd/MM/yyyy")', '"2024-02-29"'],
      ['TO_DATE("Feb 9 24", "MMM d yy")', '"2024-02-09"'],
    ],
  },
  {
    name: 'TO_TIME',
    constantArgument: readingTemplate('time'),
    summary: 'The time that a text means by a constant template.',
    signatures: ['(text: string, template: string) -> time'],
    examples: [
      ['TO_TIME("13.05", "HH.mm")', '"13:05:00.000"'],
      ['TO_TIME("1 PM", "h a")', '"13:00:00.000"'],
    ],
  },
  {
    name: 'TO_TIMESTAMP',
    constantArgument: readingTemplate('timestamp'),
    summary: 'The timestamp that a text means by a constant template; midnight where that says no time.',
    signatures: ['(text: string, template: string) -> timestamp'],
    examples: [[`TO_TIMESTAMP("2024-02-29T13:05:07", "yyyy-MM-dd'T'HH:mm:ss")`, '"2024-02-29T13:05:07.000"']],
  },
  {
    name: 'FORMAT',
    constantArgument: PRINTING_TEMPLATE,
    summary: 'A date, time or timestamp as text by a constant template.',
    signatures: [
      '(moment: date, template: string) -> string',
      '(moment: time, template: string) -> string',
      '(moment: timestamp, template: string) -> string',
    ],
    examples: [
      ['FORMAT(date "2024-02-09", "EEEE, d MMMM yyyy")', '"Friday, 9 February 2024"'],
      ['FORMAT(time "13:05:00", "hh:mm a")', '"01:05 PM"'],
    ],
  },
]);
