import { parseType } from '../types/parse.ts';
import type { Type } from '../types/type.ts';
import { withDecimalTexts } from './long-decimals.ts';

const LONG = '12345678901234567.25';

function typeOf(text: string): Type {
  const parsed = parseType(text);
  if (!('type' in parsed)) throw new Error(`${text} is no type`);
  return parsed.type;
}

test.each([
  ['decimal', LONG, `"${LONG}"`],
  ['collection(decimal)', `[1, ${LONG},2]`, `[1, "${LONG}",2]`],
  ['record(d: decimal, x: double)', `{"d": ${LONG}, "x": ${LONG}}`, `{"d": "${LONG}", "x": ${LONG}}`],
  ['record(`a"\\` : decimal)', `{"a\\"\\\\":${LONG}}`, `{"a\\"\\\\":"${LONG}"}`],
  ['record(a: any, d: decimal)', `{"a":{"d":${LONG},"1":[1.0]},"d":-${LONG}}`, `{"a":{"d":${LONG},"1":[1.0]},"d":"-${LONG}"}`],
  ['record(s: string, d: decimal)', `{"s":"d\\":${LONG},","d":${LONG}}`, `{"s":"d\\":${LONG},","d":"${LONG}"}`],
  ['record(d: decimal)', `{"d": 1.25, "other": ${LONG}}`, `{"d": 1.25, "other": ${LONG}}`],
  ['record(d: decimal)', `{"d":${LONG},"s":"no end`, `{"d":"${LONG}","s":"no end`],
])('of %s: %s', (type, text, expected) => {
  expect(withDecimalTexts(text, typeOf(type))).toBe(expected);
});

test('a string of megabytes is passed over', () => {
  for (const piece of ['x', '\\n', '\\"', '\\\\']) {
    const string = `"${piece.repeat(4_000_000)}"`;
    expect(withDecimalTexts(`{"s":${string},"d":${LONG}}`, typeOf('record(s: string, d: decimal)'))).toBe(`{"s":${string},"d":"${LONG}"}`);
  }
});
