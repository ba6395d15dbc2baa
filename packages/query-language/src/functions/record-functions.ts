import { defineFamily } from './define-function.ts';

/** Functions on records and on values of any type. */
export const RECORD_FUNCTIONS = defineFamily('record', [
  {
    name: 'FIELDS',
    canFail: false,
    summary: 'The names of the fields of a record, or of the members of an object.',
    signatures: ['(record: R) -> collection(string)'],
    examples: [['FIELDS((a: 1, b: "x"))', '["a","b"]']],
  },
  {
    name: 'ENTRIES',
    canFail: false,
    kind: 'special',
    summary: 'Name and value of each field of a record whose fields have a type in common, or of each member of an object.',
    signatures: ['(record: R) -> collection(record(key: string, value: T))'],
    examples: [['ENTRIES((a: 1, b: 2))', '[{"key":"a","value":1},{"key":"b","value":2}]']],
  },
  {
    name: 'TYPEOF',
    aliases: ['JSON_TYPE', 'JSON_TYPEOF'],
    canFail: false,
    summary:
      'What a value of any type holds: "null", "bool", "long", "double", "decimal" (whole numbers beyond long), "string", "record" or "collection".',
    nulls: 'never NULL',
    signatures: ['(value: any nullable) -> string'],
    examples: [
      ['TYPEOF(PARSE_JSON("{\\"a\\": [1, 2.5]}").a[1])', '"double"'],
      ['TYPEOF(NULL)', '"null"'],
    ],
  },
  {
    name: 'PARSE_JSON',
    aliases: ['JSON_PARSE'],
    kind: 'special',
    summary:
      'What a JSON text holds: with AS a value of the type, cast as CAST does; without, a constant has the type that it shows, and anything ' +
      'else is an any to navigate. What is no JSON fails, and what does not fit is named by its path.',
    nulls: 'NULL where the text is NULL, and where it holds null, if the type is nullable',
    signatures: ['(text: string) -> T'],
    examples: [
      ['PARSE_JSON("{\\"a\\": [1, 2]}").a[1]', '2'],
      ['PARSE_JSON("{\\"a\\": [1, 2]}" AS record(a: collection(long), b: string nullable))', '{"a":[1,2],"b":null}'],
      ['PARSE_JSON(LOWER("{\\"A\\": 1}")).a', '1'],
    ],
  },
  {
    name: 'TRY_PARSE_JSON',
    kind: 'special',
    summary: 'The same, or NULL where that fails.',
    signatures: ['(text: string) -> T nullable'],
    examples: [['TRY_PARSE_JSON("[1" AS collection(int))', 'null']],
  },
  {
    name: 'PARSE_CSV',
    kind: 'special',
    summary:
      'The rows of a CSV text as a collection of records. With AS its fields are the columns of those names, or, called _1, _2 and so on, ' +
      'those of a text without a header; without AS the text must be constant, and is looked at. The delimiter is the comma, ' +
      'semicolon, tab or bar that the first line has most of.',
    nulls: 'NULL where the text is NULL; an empty cell is NULL, and "" an empty string',
    signatures: ['(text: string) -> collection(record(…))'],
    examples: [
      ['PARSE_CSV("id;name\\n1;Ann\\n2;")', '[{"id":1,"name":"Ann"},{"id":2,"name":null}]'],
      ['PARSE_CSV("1,x\\n2,y" AS collection(record(_1: int, _2: string)))[1]._2', '"y"'],
    ],
  },
  {
    name: 'TRY_PARSE_CSV',
    kind: 'special',
    summary: 'The same, or NULL where that fails.',
    signatures: ['(text: string) -> collection(record(…)) nullable'],
    examples: [['TRY_PARSE_CSV("id\\nx" AS collection(record(id: int)))', 'null']],
  },
  {
    name: 'PARSE_XML',
    kind: 'special',
    summary:
      'What the root of an XML text holds: attributes as @name, the text beside attributes or children as #text, children by their names, ' +
      "repeated ones as collections; as a collection, the root's children. Without AS the text must be constant, and is looked at.",
    nulls: 'NULL where the text is NULL; an empty element is NULL',
    signatures: ['(text: string) -> T'],
    examples: [
      ['PARSE_XML("<p><id>1</id><tag>a</tag><tag>b</tag></p>" AS record(id: int, tag: collection(string)))', '{"id":1,"tag":["a","b"]}'],
      ['PARSE_XML("<list><n>1</n><n>2</n></list>" AS collection(int))', '[1,2]'],
    ],
  },
  {
    name: 'TRY_PARSE_XML',
    kind: 'special',
    summary: 'The same, or NULL where that fails.',
    signatures: ['(text: string) -> T nullable'],
    examples: [['TRY_PARSE_XML("<p>" AS string)', 'null']],
  },
  {
    name: 'TO_JSON',
    growth: 2,
    summary: 'The value as JSON text.',
    signatures: ['(value: T) -> string'],
    examples: [['TO_JSON((a: 1, b: [TRUE, NULL]))', '"{\\"a\\":1,\\"b\\":[true,null]}"']],
  },
]);
