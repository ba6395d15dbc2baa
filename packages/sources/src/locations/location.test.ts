import { parseLocation } from './location.ts';

test.each([
  ['file:a/b.csv', { kind: 'file', path: 'a/b.csv' }],
  ['FILE:///srv/a.csv', { kind: 'file', path: '/srv/a.csv' }],
  ['file:/srv/a.csv', { kind: 'file', path: '/srv/a.csv' }],
  ['https://example.com/a.csv?x=1#part', { kind: 'http', url: new URL('https://example.com/a.csv?x=1') }],
  ['HTTP://Example.com', { kind: 'http', url: new URL('http://example.com/') }],
  ['filehost:/a/b.csv', { kind: 'filehost', path: '/a/b.csv' }],
  ['dropbox:/a', { kind: 'filehost', path: '/a' }],
  ['s3://bucket/a/*.csv', { kind: 's3', region: null, bucket: 'bucket', key: 'a/*.csv' }],
  ['s3://eu-west-1@bucket/a', { kind: 's3', region: 'eu-west-1', bucket: 'bucket', key: 'a' }],
  ['s3://bucket', { kind: 's3', region: null, bucket: 'bucket', key: '' }],
  ['pgsql:server/public/orders', { kind: 'pgsql', server: 'server', schema: 'public', table: 'orders' }],
  ['pgsql:server', { kind: 'pgsql', server: 'server', schema: null, table: null }],
])('%s', (text, location) => {
  expect(parseLocation(text)).toEqual(location);
});

test.each([
  [`file:${'/'.repeat(400_000)}x`, 'a location has at most 4096 characters, and this one has 400006'],
  [`filehost:/${'a'.repeat(4087)}`, 'a location has at most 4096 characters, and this one has 4097'],
  [`file:many/${'*'.repeat(200_000)}Z`, 'a pattern of paths has at most 1000 characters, and this one has 200011'],
  [`s3://bucket/${'?'.repeat(989)}`, 'a pattern of paths has at most 1000 characters, and this one has 1001'],
  [`https://example.com/${'a'.repeat(70_000)}`, 'a URL has at most 65536 characters, and this one has 70020'],
])('text %# is too long for a location', (text, problem) => {
  expect(parseLocation(text)).toEqual({ kind: 'none', problem });
});

test.each([`file:${'a'.repeat(4091)}`, `s3://bucket/${'?'.repeat(988)}`, `https://example.com/${'a'.repeat(65_000)}?*`])(
  'text %# is as long as a location may be',
  (text) => {
    expect(parseLocation(text)).not.toHaveProperty('problem');
  },
);

test.each([
  ['gopher:a', "'gopher:a' is not a location: expected one such as file:folder/name.csv or https://example.com/name.csv"],
  ['a.csv', "'a.csv' is not a location: expected one such as file:folder/name.csv or https://example.com/name.csv"],
  ['', "'' is not a location: expected one such as file:folder/name.csv or https://example.com/name.csv"],
  ['constructor:a', "'constructor:a' is not a location: expected one such as file:folder/name.csv or https://example.com/name.csv"],
  ['http:example.com', 'not a location: expected a URL such as https://example.com/name.csv'],
  ['http:///a', 'not a location: expected a URL such as https://example.com/name.csv'],
  ['https://me:secret@example.com/a', 'a URL holds no user and no password: register HTTP credentials for it'],
  ['filehost:a', "'filehost:a' is not a location: expected one such as filehost:/folder/name.csv"],
  ['filehost://a', "'filehost://a' is not a location: expected one such as filehost:/folder/name.csv"],
  [
    's3:bucket/a',
    "'s3:bucket/a' is not a location: expected one such as s3://bucket/folder/name.csv or s3://region@bucket/folder/name.csv",
  ],
  [
    's3://Bucket/a',
    "'s3://Bucket/a' is not a location: expected one such as s3://bucket/folder/name.csv or s3://region@bucket/folder/name.csv",
  ],
  [
    's3://@bucket/a',
    "'s3://@bucket/a' is not a location: expected one such as s3://bucket/folder/name.csv or s3://region@bucket/folder/name.csv",
  ],
  ['pgsql:server//table', "'pgsql:server//table' is not a location: expected one such as pgsql:server/schema/table"],
  ['pgsql:', "'pgsql:' is not a location: expected one such as pgsql:server/schema/table"],
])('%s is none', (text, problem) => {
  expect(parseLocation(text)).toEqual({ kind: 'none', problem });
});
