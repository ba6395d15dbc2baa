import { parseLocation } from './location.ts';

test.each([
  ['file:a/b.csv', { kind: 'file', path: 'a/b.csv' }],
  ['FILE:///srv/a.csv', { kind: 'file', path: '/srv/a.csv' }],
  ['file:/srv/a.csv', { kind: 'file', path: '/srv/a.csv' }],
  ['s3://bucket/a', { kind: 'not-built', scheme: 's3' }],
  ['dropbox:/a', { kind: 'not-built', scheme: 'dropbox' }],
  ['gopher:a', { kind: 'unknown' }],
  ['a.csv', { kind: 'unknown' }],
  ['', { kind: 'unknown' }],
])('%s', (text, location) => {
  expect(parseLocation(text)).toEqual(location);
});
