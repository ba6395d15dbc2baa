import { printType } from '@svc/query-language';

import { inferPlainText } from './infer-plain-text.ts';

function typeOf(text: string): string {
  const found = inferPlainText('json', text);
  return 'type' in found ? printType(found.type) : found.problem;
}

describe('a text of JSON', () => {
  it.each([
    ['1', 'int'],
    ['3000000000', 'long'],
    ['9223372036854775808', 'double'],
    ['1.0', 'double'],
    ['1e2', 'double'],
    ['true', 'bool'],
    ['"2024-01-01"', 'string'],
    ['null', 'any nullable'],
    ['{}', 'record()'],
    ['[]', 'collection(any)'],
    ['[1, 2.5]', 'collection(double)'],
    ['[1, "x"]', 'collection(any)'],
    ['[1, null]', 'collection(int nullable)'],
    ['[{"a":1},{"b":"x","a":3000000000},null]', 'collection(record(a: long, b: string nullable) nullable)'],
    ['[{"a":1},{"a":2,"b":1}]', 'collection(record(a: int, b: int nullable))'],
    ['{"a":{"b":[{"c":null}]}}', 'record(a: record(b: collection(record(c: any nullable))))'],
    ['{"a\\n\\u00e9":1}', 'record(`a\né`: int)'],
    ['{"a":1,"a":2}', 'record(a: int)'],
  ])('%s is %s', (text, expected) => {
    expect(typeOf(text)).toBe(expected);
  });

  it.each(['', '{', '{"a"}', '[1,]', '01', '1.', '+1', 'tru', '"a', '"\\x"', '{"a":1,}', '[1] 2', "{'a':1}", '"a\nb"'])(
    '%j is refused',
    (text) => {
      expect(inferPlainText('json', text)).toEqual({ problem: expect.stringContaining('malformed JSON') });
    },
  );

  it('looks no deeper than a type can be read, and does not overflow', () => {
    expect(typeOf('['.repeat(100_000) + ']'.repeat(100_000))).toContain('any');
  });

  it('takes an object with thousands of keys for a map', () => {
    const text = JSON.stringify(Object.fromEntries(Array.from({ length: 6000 }, (_, i) => [`k${i}`, i])));
    expect(typeOf(text)).toBe('any');
  });
});
