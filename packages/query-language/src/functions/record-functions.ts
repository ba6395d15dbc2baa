import { defineFamily } from './define-function.ts';

/** Functions on records and on values of any type. */
export const RECORD_FUNCTIONS = defineFamily('record', [
  {
    name: 'FIELDS',
    summary: 'The names of the fields of a record, or of the members of an object.',
    signatures: ['(record: R) -> collection(string)'],
    examples: [['FIELDS((a: 1, b: "x"))', '["a","b"]']],
  },
  {
    name: 'ENTRIES',
    kind: 'special',
    summary: 'Name and value of each field of a record whose fields have a type in common, or of each member of an object.',
    signatures: ['(record: R) -> collection(record(key: string, value: T))'],
    examples: [['ENTRIES((a: 1, b: 2))', '[{"key":"a","value":1},{"key":"b","value":2}]']],
  },
  {
    name: 'PARSE_JSON',
    kind: 'special',
    summary: 'What a JSON text holds: an any to navigate, or with AS a value of the type, cast as CAST does. What is no JSON fails.',
    nulls: 'NULL where the text is NULL, and where it holds null, if the type is nullable',
    signatures: ['(text: string) -> any nullable'],
    examples: [
      ['PARSE_JSON("{\\"a\\": [1, 2]}").a[1]', '2'],
      ['PARSE_JSON("{\\"a\\": [1, 2]}" AS record(a: collection(long), b: string nullable))', '{"a":[1,2],"b":null}'],
    ],
  },
  {
    name: 'TRY_PARSE_JSON',
    kind: 'special',
    summary: 'The same, or NULL where that fails.',
    signatures: ['(text: string) -> any nullable'],
    examples: [['TRY_PARSE_JSON("[1" AS collection(int))', 'null']],
  },
  {
    name: 'TO_JSON',
    summary: 'The value as JSON text.',
    signatures: ['(value: T) -> string'],
    examples: [['TO_JSON((a: 1, b: [TRUE, NULL]))', '"{\\"a\\":1,\\"b\\":[true,null]}"']],
  },
]);
