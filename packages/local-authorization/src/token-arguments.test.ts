import { parseTokenArguments, TOKEN_USAGE } from './token-arguments.ts';

test('without arguments, a token is for demo and lasts eight hours', () => {
  expect(parseTokenArguments([])).toEqual({ sub: 'demo', expiresInSeconds: 28_800, claims: {} });
});

test('every argument is taken, claims by their JSON or as text', () => {
  const claims = ['--claim', 'aud=["a","b"]', '--claim', 'nbf=17', '--claim', 'org=acme=x', '--claim', 'empty='];
  expect(parseTokenArguments(['--sub', 'ann', '--scope', 'read write', '--expires-in', '60', ...claims])).toEqual({
    sub: 'ann',
    scope: 'read write',
    expiresInSeconds: 60,
    claims: { aud: ['a', 'b'], nbf: 17, org: 'acme=x', empty: '' },
  });
});

test('a token may have expired', () => {
  expect(parseTokenArguments(['--expires-in', '-60'])).toMatchObject({ expiresInSeconds: -60 });
  expect(parseTokenArguments(['--expires-in=-60'])).toMatchObject({ expiresInSeconds: -60 });
});

test('--help is asked for, and names every option', () => {
  expect(parseTokenArguments(['--sub', 'ann', '--help'])).toBe('help');
  expect([...TOKEN_USAGE.matchAll(/^ {2}--([\w-]+)/gm)].map(([, name]) => name)).toEqual(['sub', 'scope', 'claim', 'expires-in', 'help']);
});

test.each([
  [['--expires-in', 'soon'], '--expires-in takes a whole number of seconds, found "soon"'],
  [['--claim', 'org'], '--claim takes key=value, found "org"'],
  [['--subject', 'x'], "Unknown option '--subject'"],
  [['x'], 'Unexpected argument'],
])('%j is refused in one line', (args, message) => {
  expect(() => parseTokenArguments(args)).toThrow(message);
});
