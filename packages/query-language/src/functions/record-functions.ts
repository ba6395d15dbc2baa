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
    name: 'TO_JSON',
    summary: 'The value as JSON text.',
    signatures: ['(value: T) -> string'],
    examples: [['TO_JSON((a: 1, b: [TRUE, NULL]))', '"{\\"a\\":1,\\"b\\":[true,null]}"']],
  },
]);
