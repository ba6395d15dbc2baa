import { parseS3Location } from './s3-location.ts';

test.each([
  ['s3://bucket/a/b.csv', { bucket: 'bucket', region: null, path: 'a/b.csv' }],
  ['S3://bucket/a', { bucket: 'bucket', region: null, path: 'a' }],
  ['s3://eu-west-3@my.bucket/a b/*.csv', { bucket: 'my.bucket', region: 'eu-west-3', path: 'a b/*.csv' }],
  ['s3://bucket/', { bucket: 'bucket', region: null, path: '' }],
  ['s3://bucket', { bucket: 'bucket', region: null, path: '' }],
  ['s3://bucket//a//b', { bucket: 'bucket', region: null, path: '/a//b' }],
  ['s3://bucket/a@b', { bucket: 'bucket', region: null, path: 'a@b' }],
  ['s3://', null],
  ['s3:bucket/a', null],
  ['s3://Bucket/a', null],
  ['s3://127.0.0.1/a', null],
  ['s3://a..%2e/b', null],
  ['s3://eu west@bucket/a', null],
  ['s3://b/a', null],
])('%s', (text, location) => {
  expect(parseS3Location(text)).toEqual(location);
});
