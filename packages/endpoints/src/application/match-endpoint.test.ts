import type { BrokenEndpoint } from './application-endpoint.ts';
import { compileMatcher } from './match-endpoint.ts';

function anEndpoint(written: string): BrokenEndpoint {
  const [method, path = ''] = written.split(' ');
  // A method that endpoints support.
  const endpoint = { method: method as 'get', path, visibility: 'private', scopes: [] } as const;
  return { kind: 'broken', endpoint, packageName: 'p', functionName: written };
}

const PATHS = [
  ...['get /a', 'post /a', 'get /a/{x}', 'get /a/b', 'delete /a/{x}', 'get /a/{x}/c', 'get /a/b/d', 'get /f/{n}.csv', 'get /f/{n}'],
  ...['get /r/{a}-{b}', 'get /', "get /odd/$&'()*+,;=:@.~", 'get /t/'],
];
const match = compileMatcher(PATHS.map(anEndpoint));

function found(method: string, path: string): string | null {
  const one = match(path)?.methods.get(method);
  if (one === undefined || one.endpoint.kind !== 'broken') return null;
  return [one.endpoint.functionName, ...one.pathTexts.values()].join(' | ');
}

test.each([
  ['GET', '/a', 'get /a'],
  ['GET', '/a/', null],
  ['GET', '/A', null],
  ['GET', '//a', null],
  ['GET', '/a/b', 'get /a/b'],
  ['GET', '/a/z', 'get /a/{x} | z'],
  ['DELETE', '/a/b', 'delete /a/{x} | b'],
  ['GET', '/a/b/c', 'get /a/{x}/c | b'],
  ['GET', '/a/b/d', 'get /a/b/d'],
  ['GET', '/a/x%2Fy', 'get /a/{x} | x/y'],
  ['GET', '/a/%C3%A9%20', 'get /a/{x} | é '],
  ['GET', '/a/%62', 'get /a/b'],
  ['GET', '/a/%zz', 'get /a/{x} | %zz'],
  ['GET', '/a/x%0Ay', 'get /a/{x} | x\ny'],
  ['GET', '/f/a.csv', 'get /f/{n}.csv | a'],
  ['GET', '/f/acsv', 'get /f/{n} | acsv'],
  ['GET', '/r/1-2', 'get /r/{a}-{b} | 1 | 2'],
  ['GET', '/r/1-', null],
  ['GET', '/', 'get /'],
  ['GET', '', null],
  ['GET', "/odd/$&'()*+,;=:@.~", "get /odd/$&'()*+,;=:@.~"],
  ['GET', '/odd/x', null],
  ['GET', '/t/', 'get /t/'],
  ['GET', '/t', null],
  ['GET', '/a/..', 'get /a/{x} | ..'],
])('%s %s finds %s', (method, path, expected) => {
  expect(found(method, path)).toBe(expected);
});

test('all methods of a path are known', () => {
  expect([...(match('/a/b')?.methods.keys() ?? [])]).toEqual(['GET', 'DELETE']);
});

test('a long path of many almost matching parts is refused in a moment', () => {
  const slow = compileMatcher([anEndpoint('get /{a}-{b}-{c}-{d}!')]);
  const startedAt = performance.now();
  expect(slow(`/${'-'.repeat(2000)}`)).toBeNull();
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
