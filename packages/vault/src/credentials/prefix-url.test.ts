import { parsePrefix, prefixesOf } from './prefix-url.ts';

function normalOf(text: string): string {
  const parsed = parsePrefix(text);
  return parsed.kind === 'prefix' ? parsed.normal : parsed.reason;
}

/** Returns whether a prefix matches a URL. */
function matches(prefix: string, url: string): boolean {
  return prefixesOf(new URL(url)).includes(normalOf(prefix));
}

test.each([
  ['HTTP://Example.COM:80', 'http://example.com'],
  ['https://example.com:443/', 'https://example.com'],
  ['https://example.com:8443/a/', 'https://example.com:8443/a'],
  ['https://example.com/a/../b/./c', 'https://example.com/b/c'],
  ['https://example.com/%7ea%2fb', 'https://example.com/~a%2Fb'],
  ['https://example.com/a//', 'https://example.com/a/'],
  ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
  ['http://[::0:1]:80/x', 'http://[::1]/x'],
  ['http://0x7f.1/x', 'http://127.0.0.1/x'],
  ['https://example.com/@scope/pkg', 'https://example.com/@scope/pkg'],
])('%s is compared as %s', (text, normal) => {
  expect(normalOf(text)).toBe(normal);
});

test.each([
  ['https://a.example', 'https://a.example/x?y=1', true],
  ['https://a.example', 'https://a.example.evil.example/', false],
  ['https://a.example', 'http://a.example/', false],
  ['https://a.example', 'https://a.example:8443/', false],
  ['https://a.example/v1', 'https://a.example/v1', true],
  ['https://a.example/v1', 'https://a.example/v1/', true],
  ['https://a.example/v1/', 'https://a.example/v1', true],
  ['https://a.example/v1', 'https://a.example/v1/users/5', true],
  ['https://a.example/v1', 'https://a.example/v10', false],
  ['https://a.example/v1', 'https://a.example/V1', false],
  ['https://a.example/v1', 'https://a.example/v1/../v2', false],
  ['https://a.example/v1', 'https://a.example/v1/%2e%2e/v2', false],
  ['https://a.example/v1', 'https://a.example/v1%2Fx', false],
  ['https://a.example/v1', 'https://a.example/%76%31/x', true],
  ['https://a.example/v1', 'https://a.example/x/v1', false],
])('%s for %s: %s', (prefix, url, expected) => {
  expect(matches(prefix, url)).toBe(expected);
});

test('what would not fit the index, or be asked for with every URL, is refused', () => {
  expect(normalOf(`https://a.example/${'x'.repeat(1100)}`)).toBe('must have at most 1024 characters');
  expect(normalOf(`https://a.example${'/x'.repeat(65)}`)).toBe('must have at most 64 path segments');
  expect(prefixesOf(new URL(`https://a.example${'/x'.repeat(5000)}`))).toHaveLength(65);
});
