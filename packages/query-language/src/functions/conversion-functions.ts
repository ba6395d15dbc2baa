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

/** Conversions of numbers, texts and truth values; what CAST does, as a function. */
export const CONVERSION_FUNCTIONS = defineFamily('conversion', [
  ...TARGETS.map((target) => ({
    name: target.toUpperCase(),
    summary: `Turns a number, a text or a truth value into ${target}.`,
    signatures: [`(value: string) -> ${target}`, `(value: bool) -> ${target}`, `(value: N) -> ${target}`],
    examples: EXAMPLES[target] ?? [],
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
    signatures: ['(value: string) -> bool', '(value: N) -> bool'],
    examples: [
      ['BOOL("true")', 'true'],
      ['BOOL(0)', 'false'],
    ],
  },
]);
