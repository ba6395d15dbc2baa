import { defineFamily } from './define-function.ts';

/** Functions on texts and regular expressions. Lengths and positions count code points. */
export const STRING_FUNCTIONS = defineFamily('string', [
  {
    name: 'CONCAT',
    summary: 'The texts one behind the other; NULL counts as the empty text.',
    nulls: 'NULL counts as the empty text',
    signatures: ['(text: string nullable …) -> string'],
    examples: [['CONCAT("a", NULL, "b")', '"ab"']],
  },
  {
    name: 'LENGTH',
    summary: 'Number of characters in a text.',
    signatures: ['(text: string) -> int'],
    examples: [
      ['LENGTH("abc")', '3'],
      ['LENGTH(NULL)', 'null'],
    ],
  },
  {
    name: 'LEN',
    summary: 'Number of characters, elements or bytes.',
    signatures: ['(text: string) -> int', '(bytes: binary) -> int', '(collection: collection(T)) -> int'],
    examples: [
      ['LEN("abc")', '3'],
      ['LEN([1, NULL])', '2'],
    ],
  },
  { name: 'UPPER', summary: 'The text in capitals.', signatures: ['(text: string) -> string'], examples: [['UPPER("abc")', '"ABC"']] },
  { name: 'LOWER', summary: 'The text in small letters.', signatures: ['(text: string) -> string'], examples: [['LOWER("ABC")', '"abc"']] },
  {
    name: 'CAPITALIZE',
    summary: 'The text with its first letter in capitals.',
    signatures: ['(text: string) -> string'],
    examples: [['CAPITALIZE("abc")', '"Abc"']],
  },
  {
    name: 'TRIM',
    summary: 'The text without white space at its ends.',
    signatures: ['(text: string) -> string'],
    examples: [['TRIM("  a ")', '"a"']],
  },
  {
    name: 'LTRIM',
    summary: 'The text without white space at its start.',
    signatures: ['(text: string) -> string'],
    examples: [['LTRIM("  a ")', '"a "']],
  },
  {
    name: 'RTRIM',
    summary: 'The text without white space at its end.',
    signatures: ['(text: string) -> string'],
    examples: [['RTRIM("  a ")', '"  a"']],
  },
  {
    name: 'REPLACE',
    summary: 'The text with every occurrence replaced; $1 in the replacement of a regex is its first group.',
    signatures: ['(text: string, what: string, by: string) -> string', '(text: string, what: regex, by: string) -> string'],
    examples: [
      ['REPLACE("banana", "an", "-")', '"b--a"'],
      ['REPLACE("a1b22", r"[0-9]+", "#")', '"a#b#"'],
    ],
  },
  {
    name: 'SUBSTRING',
    summary: 'The part from a position (from 1) of a length; a negative length means the rest.',
    signatures: ['(text: string, from: int, length: int := -1) -> string'],
    examples: [
      ['SUBSTRING("abcdef", 2, 3)', '"bcd"'],
      ['SUBSTRING("abcdef", 3, -1)', '"cdef"'],
    ],
  },
  {
    name: 'LEFT',
    summary: 'The first characters.',
    signatures: ['(text: string, count: int) -> string'],
    examples: [['LEFT("abc", 2)', '"ab"']],
  },
  {
    name: 'RIGHT',
    summary: 'The last characters.',
    signatures: ['(text: string, count: int) -> string'],
    examples: [['RIGHT("abc", 2)', '"bc"']],
  },
  {
    name: 'REVERSE',
    summary: 'The characters or elements from last to first.',
    signatures: ['(text: string) -> string', '(collection: collection(T)) -> collection(T)'],
    examples: [
      ['REVERSE("abc")', '"cba"'],
      ['REVERSE([1, 2])', '[2,1]'],
    ],
  },
  {
    name: 'REPLICATE',
    summary: 'The text repeated.',
    signatures: ['(text: string, count: int) -> string'],
    examples: [['REPLICATE("ab", 3)', '"ababab"']],
  },
  {
    name: 'SPLIT',
    summary: 'The parts of a text between separators.',
    signatures: ['(text: string, separator: string) -> collection(string)'],
    examples: [['SPLIT("a,b,c", ",")', '["a","b","c"]']],
  },
  {
    name: 'STARTS_WITH',
    summary: 'Whether the text begins so.',
    signatures: ['(text: string, start: string) -> bool'],
    examples: [['STARTS_WITH("abc", "ab")', 'true']],
  },
  {
    name: 'ENDS_WITH',
    summary: 'Whether the text ends so.',
    signatures: ['(text: string, end: string) -> bool'],
    examples: [['ENDS_WITH("abc", "bc")', 'true']],
  },
  {
    name: 'CONTAINS',
    summary: 'Whether the text holds another, or the collection an element.',
    signatures: ['(text: string, what: string) -> bool', '(collection: collection(K), what: K) -> bool'],
    examples: [
      ['CONTAINS("abc", "b")', 'true'],
      ['CONTAINS([1, 2], 3)', 'false'],
    ],
  },
  {
    name: 'CHARINDEX',
    summary: 'The position (from 1) of the first occurrence; 0 if there is none.',
    signatures: ['(what: string, text: string) -> int'],
    examples: [
      ['CHARINDEX("c", "abc")', '3'],
      ['CHARINDEX("x", "abc")', '0'],
    ],
  },
  {
    name: 'COUNT_SUBSTRING',
    summary: 'How often a text occurs in another.',
    signatures: ['(text: string, what: string) -> int'],
    examples: [['COUNT_SUBSTRING("banana", "an")', '2']],
  },
  {
    name: 'LPAD',
    summary: 'The text filled up at its start to a length, or cut to it.',
    signatures: ['(text: string, length: int, fill: string) -> string'],
    examples: [['LPAD("7", 3, "0")', '"007"']],
  },
  {
    name: 'RPAD',
    summary: 'The text filled up at its end to a length, or cut to it.',
    signatures: ['(text: string, length: int, fill: string) -> string'],
    examples: [['RPAD("7", 3, "0")', '"700"']],
  },
  {
    name: 'ASCII',
    summary: 'The code point of the first character.',
    signatures: ['(text: string) -> int'],
    examples: [['ASCII("A")', '65']],
  },
  { name: 'CHR', summary: 'The character of a code point.', signatures: ['(code: int) -> string'], examples: [['CHR(65)', '"A"']] },
  {
    name: 'LEVENSHTEIN',
    summary: 'How many bytes of UTF-8 must change to turn one text into the other.',
    signatures: ['(a: string, b: string) -> int'],
    examples: [['LEVENSHTEIN("kitten", "sitting")', '3']],
  },
  {
    name: 'URL_ENCODE',
    summary: 'The text with what a URL cannot hold in percent signs; a space is %20.',
    signatures: ['(text: string) -> string'],
    examples: [['URL_ENCODE("a b&c")', '"a%20b%26c"']],
  },
  {
    name: 'URL_DECODE',
    summary: 'The text that a percent-encoded one stands for.',
    signatures: ['(text: string) -> string'],
    examples: [['URL_DECODE("a%20b")', '"a b"']],
  },
  {
    name: 'MKSTRING',
    summary: 'The elements as one text with a separator between them.',
    nulls: 'NULLs among the elements are left out',
    signatures: ['(collection: collection(string nullable), separator: string) -> string'],
    examples: [['MKSTRING(["a", NULL, "b"], "-")', '"a-b"']],
  },
  {
    name: 'MATCHES',
    summary: 'Whether a regex matches the whole text.',
    signatures: ['(text: string, pattern: regex) -> bool'],
    examples: [
      ['MATCHES("abc", r"[a-c]+")', 'true'],
      ['MATCHES("abcd", r"[a-c]+")', 'false'],
    ],
  },
  {
    name: 'FIRST_MATCH',
    summary: 'The first part of the text that a regex matches; NULL if there is none.',
    signatures: ['(text: string, pattern: regex) -> string nullable'],
    examples: [
      ['FIRST_MATCH("a1b22", r"[0-9]+")', '"1"'],
      ['FIRST_MATCH("ab", r"[0-9]+")', 'null'],
    ],
  },
  {
    name: 'GROUPS',
    summary: 'What the groups of a constant regex capture that matches the whole text; NULL if it does not match.',
    signatures: ['(text: string, pattern: regex) -> collection(string nullable) nullable'],
    examples: [
      ['GROUPS("ab12", r"([a-z]+)([0-9]+)(x)?")', '["ab","12",null]'],
      ['GROUPS("!", r"([a-z]+)")', 'null'],
    ],
  },
  {
    name: 'PARSE',
    kind: 'special',
    summary:
      'The text, the text of the one group, or a record of the groups (by their names, else _1, _2, …) of a constant regex that matches the whole text; fails if it does not match.',
    signatures: ['(text: string, pattern: regex) -> T'],
    examples: [
      ['PARSE("ab12", r"([a-z]+)([0-9]+)")', '{"_1":"ab","_2":"12"}'],
      ['PARSE("ab12", r"(?<word>[a-z]+)(?<number>[0-9]+)")', '{"word":"ab","number":"12"}'],
      ['PARSE("ab12", r"[a-z]+([0-9]+)")', '"12"'],
    ],
  },
  {
    name: 'TRY_PARSE',
    kind: 'special',
    summary: 'The same, and NULL if the regex does not match.',
    signatures: ['(text: string, pattern: regex) -> T nullable'],
    examples: [
      ['TRY_PARSE("ab12", r"[a-z]+([0-9]+)")', '"12"'],
      ['TRY_PARSE("ab", r"[a-z]+([0-9]+)")', 'null'],
    ],
  },
]);
