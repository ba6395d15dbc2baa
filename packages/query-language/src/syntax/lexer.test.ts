import { readTokens } from './lexer.ts';
import { SyntaxFault } from './syntax-error.ts';

/** Returns the tokens of a text as `kind:value`, without the end. */
function tokensOf(text: string): readonly string[] {
  return readTokens(text)
    .slice(0, -1)
    .map((token) => `${token.kind === 'number' ? token.numberType : token.kind}:${token.value}`);
}

/** The one fault of a text as `start-end message`. */
function faultOf(text: string): string {
  try {
    return `no fault in ${tokensOf(text).join(' ')}`;
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    const {
      message,
      spans: [span],
    } = error.diagnostic;
    return `${span?.start}-${span?.end} ${message}`;
  }
}

test.each([
  ['a _b Ünï c1 été２', ['word:a', 'word:_b', 'word:Ünï', 'word:c1', 'word:été２']],
  ['`a b` `SELECT` `a``b`', ['quoted:a b', 'quoted:SELECT', 'quoted:a`b']],
  ['a // b\n-- c\r/* d\n * */ e', ['word:a', 'word:e']],
  ['\uFEFFa\u00A0\tb', ['word:a', 'word:b']],
  ['"a\\n\\t\\r\\0\\\\\\"\\\'"', ['string:a\n\t\r\0\\"\'']],
  ["'it''s \"x\"'", ['string:it\'s "x"']],
  ['"\\u0041\\u{1F986}\\uD83E\\uDD86"', ['string:A🦆🦆']],
  ['""', ['string:']],
  ['"""a\n"b" \\n"""', ['string:a\n"b" \\n']],
  ['r"\\\\w+" R\'x\' r"""\\w+"""', ['regex:\\w+', 'regex:x', 'regex:\\w+']],
  ['bar "x"', ['word:bar', 'string:x']],
  [
    '0 123 2147483647 2147483648 123L 9223372036854775807l',
    ['int:0', 'int:123', 'int:2147483647', 'long:2147483648', 'long:123', 'long:9223372036854775807'],
  ],
  ['1.5 1e3 1.5e-3 1.5d 1D 1.5f 2F', ['double:1.5', 'double:1e3', 'double:1.5e-3', 'double:1.5', 'double:1', 'float:1.5', 'float:2']],
  ['1.50q 1Q 1e3q 1.5e-2q 12e-1q 007q', ['decimal:1.50', 'decimal:1', 'decimal:1000', 'decimal:0.015', 'decimal:1.2', 'decimal:7']],
  ['007', ['int:7']],
  ['x[0].y 1.a', ['word:x', 'symbol:[', 'int:0', 'symbol:]', 'symbol:.', 'word:y', 'int:1', 'symbol:.', 'word:a']],
  ['a+++b++c+d', ['word:a', 'symbol:+++', 'word:b', 'symbol:++', 'word:c', 'symbol:+', 'word:d']],
  [':= -> || == != <> <= >= \\ @', [':=', '->', '||', '==', '!=', '<>', '<=', '>=', '\\', '@'].map((symbol) => `symbol:${symbol}`)],
])('%j is read as %j', (text, expected) => {
  expect(tokensOf(text)).toEqual(expected);
});

test.each([
  ['a # b', '2-3 unexpected #: a comment begins with --'],
  ['🦆', '0-2 unexpected character "🦆"'],
  ['"abc\nd"', '0-4 the string is not closed'],
  ["'abc", '0-4 the string is not closed'],
  ['x """abc"', '2-9 the string is not closed'],
  ['a /* b', '2-6 the comment is not closed'],
  ['/*/', '0-3 the comment is not closed'],
  ['`a\nb', '0-2 the quoted name is not closed'],
  ['``', '0-2 a name in back-ticks cannot be empty'],
  ['"a\\qb"', '2-4 unknown escape \\q: write \\\\q, or """…""" where a backslash stands for itself'],
  ['"\\🦆"', '1-4 unknown escape \\🦆: write \\\\🦆, or """…""" where a backslash stands for itself'],
  ['r"\\w+"', '2-4 unknown escape \\w: write \\\\w, or r"""…""" where a backslash stands for itself'],
  ['"\\u12"', '1-5 \\u12 is no character: expected \\uHHHH or \\u{H…}'],
  ['"\\u{110000}"', '1-11 \\u{110000} is no character: expected \\uHHHH or \\u{H…}'],
  ['"\\uD83E"', '0-8 this text holds half a character (an unpaired surrogate)'],
  ['"\\', '1-2 unknown escape \\: write \\\\, or """…""" where a backslash stands for itself'],
  ['9223372036854775809', '0-19 number too large'],
  ['1 + 99999999999999999999L', '4-25 number too large'],
  ['1e400', '0-5 number too large'],
  ['1e39f', '0-5 number too large'],
  ['123456789012345678901234567890123456789q', '0-40 number too large'],
  ['1e39q', '0-5 number too large'],
  ['12abc', '0-5 12abc is not a number; as a name it stands in back-ticks: `12abc`'],
  ['1.5L', '0-4 1.5L is not a number'],
  ['1é', '0-2 1é is not a number'],
])('%j fails with %s', (text, expected) => {
  expect(faultOf(text)).toBe(expected);
});

test('millions of spaces, comments and letters cost no stack', () => {
  expect(tokensOf(`${' '.repeat(5e6)}1${'--x\n'.repeat(1e6)}2`)).toEqual(['int:1', 'int:2']);
  expect(readTokens('Ω'.repeat(5e6))).toHaveLength(2);
  expect(faultOf('9'.repeat(1e6))).toBe('0-1000000 number too large');
});
