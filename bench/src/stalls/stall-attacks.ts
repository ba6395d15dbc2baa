import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import type { Random } from '@svc/test-kit';

/** A request that once blocked the event loop, or may block it. */
export interface StallAttack {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const TEXT = { 'Content-Type': 'text/plain' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Writes the files that the attacks read. */
export async function writeStallFiles(root: string): Promise<void> {
  const folder = join(root, 'many');
  await mkdir(folder);
  const name = 'a'.repeat(100);
  for (let from = 0; from < 20_000; from += 500)
    await Promise.all(Array.from({ length: 500 }, async (_, i) => writeFile(join(folder, `${name}${from + i}.txt`), '')));
  await writeFile(join(root, 'digits.csv'), `a\n${`${'1'.repeat(80_000)}x\n`.repeat(10)}`);
  await writeFile(join(root, 'quoted.csv'), `a,b\n1,"${'x\n'.repeat(200_000)}`);
  const phrase = '\\nError when converting column ""a"". Could not convert string ""';
  await writeFile(join(root, 'phrases.csv'), `a,b\n${'1,2\n'.repeat(30_000)}"${phrase.repeat(10_000)}"\n`);
  await writeFile(join(root, 'names.json.gz'), gzipSync(`{${Array.from({ length: 200_000 }, (_, i) => `"n${i}":1`).join(',')}}`));
  await writeFile(join(root, 'names.xml.gz'), gzipSync(`<r>${Array.from({ length: 200_000 }, (_, i) => `<n${i}/>`).join('')}</r>`));
  await writeFile(join(root, 'value.json.gz'), gzipSync(`{"a":[${'1,'.repeat(20_000_000)}1]}`));
  await writeFile(join(root, 'spaces.csv'), `a\n${`${' '.repeat(200_000)}x\n`.repeat(5)}`);
}

/** The attacks that are known. */
export function knownAttacks(): readonly StallAttack[] {
  const zeros = '0'.repeat(80_000);
  return [
    ...[
      ['LS of 40 stars', `LS("file:many/${'*'.repeat(40)}Z")`],
      ['LS of 200,000 stars', `LS("file:many/${'*'.repeat(200_000)}Z")`],
      ['LS of stars and letters', `LS("file:many/${'*a'.repeat(40)}Z")`],
      ['LS of **/ 30 times', `LS("file:${'**/'.repeat(30)}Z")`],
      ['LS of **/ 50,000 times', `LS("file:${'**/'.repeat(50_000)}Z")`],
      ['LS of a folder of 20,000 files', 'SELECT COUNT(*) FROM LS("file:many/")'],
      ['COUNT of 20,000 files', 'SELECT COUNT(*) FROM READ_TEXT("file:many/*.txt")'],
      ['lines of 20,000 files', 'SELECT COUNT(*) FROM READ_LINES("file:many/*.txt")'],
      ['lines of 10,000 files', 'SELECT COUNT(*) FROM READ_LINES("file:many/a*1????.txt")'],
      ['slashes behind a location', `LS("filehost:${'/'.repeat(200_000)}x${'/'.repeat(200_000)}x")`],
      ['a timestamp of letters', `timestamp "${'T'.repeat(1600)} a b"`],
      ['a timestamp of 200,000 letters', `timestamp "${'T'.repeat(200_000)} a b"`],
      ['an interval of 80,000 digits', `interval "${'1'.repeat(80_000)} days"`],
      ['an interval of amounts', `interval "${'1 day '.repeat(100)}"`],
      ['a number of 300,000 digits', '1'.repeat(300_000)],
      ['a decimal of 80,000 zeros', `CAST("1.${zeros}" AS decimal)`],
      ['a name of 300,000 letters', 'a'.repeat(300_000)],
      ['80,000 brackets', '('.repeat(80_000)],
      ['a comment that does not end', `/*${'*'.repeat(300_000)}`],
      ['quotes that do not end', '"'.repeat(300_001)],
      ['20,000 operators', `1${' + 1'.repeat(20_000)}`],
      ['20,000 fields', `(${Array.from({ length: 20_000 }, (_, i) => `f${i}: ${i}`).join(', ')})`],
      ['cells of 80,000 digits', 'SELECT COUNT(*) FROM READ("file:digits.csv")'],
      ['cells of 200,000 spaces', 'SELECT COUNT(*) FROM READ("file:spaces.csv")'],
      ['a quote of CSV that does not end', 'SELECT COUNT(*) FROM READ("file:quoted.csv")'],
      ['words of an error of CSV', 'SELECT SUM(a) FROM READ("file:phrases.csv")'],
      ['200,000 names of JSON', 'READ("file:names.json.gz")'],
      ['200,000 names of XML', 'READ("file:names.xml.gz")'],
      ['one JSON value of 40 MB', 'SELECT COUNT(*) FROM READ("file:value.json.gz").a'],
      ['a regex of 300,000 brackets', `MATCHES("a", "${'['.repeat(300_000)}")`],
      ['a pattern of LIKE of 200,000 signs', `"a" LIKE "${'%a_'.repeat(70_000)}"`],
      ['SQL of spaces', `READ_PGSQL("pgsql://a/b", sql := "${' '.repeat(200_000)}x")`],
    ].flatMap(([name = '', body = '']) => [
      { name, method: 'POST', path: '/query', headers: TEXT, body },
      { name: `${name}, validated`, method: 'POST', path: '/query-validate', headers: TEXT, body },
    ]),
    {
      name: 'a number in a body that is none',
      method: 'POST',
      path: '/packages/p/functions/f',
      headers: JSON_TYPE,
      body: `{"x":"${'1'.repeat(80_000)}x","t":"${'T'.repeat(80_000)} a b","i":"${'1'.repeat(80_000)} days","d":"1.${zeros}"}`,
    },
    ...['application/x-ndjson', 'text/csv'].flatMap((type) =>
      [
        ['a decimal of zeros', type === 'text/csv' ? `a,b,d\n1,x,1.${zeros}\n` : `{"a":1,"b":"x","d":"1.${zeros}"}\n`],
        [
          'a cell of 20,000 lines',
          type === 'text/csv' ? `a,b,d\n1,"${'x\n'.repeat(20_000)}",1\n` : `{"a":1,"b":"${'\\n'.repeat(20_000)}","d":1}`,
        ],
        ['a cell that does not end', type === 'text/csv' ? `a,b,d\n1,"${'x\n'.repeat(200_000)}` : `{"a":1,"b":"${'x'.repeat(400_000)}`],
        ['200,000 brackets', type === 'text/csv' ? `${','.repeat(200_000)}\n` : '['.repeat(200_000)],
      ].map(([name = '', body = '']) => ({
        name: `upload of ${type}: ${name}`,
        method: 'POST',
        path: '/tables/t/rows',
        headers: { 'Content-Type': type },
        body,
      })),
    ),
    ...(
      [
        ['a type of 20,000 fields', { type: `collection(record(${Array.from({ length: 20_000 }, (_, i) => `f${i}: int`).join(', ')}))` }],
        ['300,000 indexes', { type: 'collection(record(a: int))', indexes: Array.from({ length: 300_000 }, (_, i) => i) }],
        ['one index 200,000 times', { type: 'collection(record(a: int))', indexes: Array.from({ length: 200_000 }, () => 'a') }],
        ['a type of brackets', { type: 'collection('.repeat(60_000) }],
      ] as const
    ).map(([name, body]) => ({ name, method: 'PUT', path: '/tables/u', headers: JSON_TYPE, body: JSON.stringify(body) })),
    { name: 'a token of dots', method: 'GET', path: '/views', headers: { Authorization: `Bearer ${'.'.repeat(12_000)}` }, body: '' },
    { name: 'a token of letters', method: 'GET', path: '/views', headers: { Authorization: `Bearer ${'ey.'.repeat(4_000)}` }, body: '' },
    { name: 'Accept of commas', method: 'GET', path: '/views', headers: { Accept: ',;q='.repeat(3_000) }, body: '' },
    { name: 'a pattern of backslashes', method: 'GET', path: `/catalog?pattern=${'%5C'.repeat(4_000)}x`, body: '' },
  ];
}

const PIECES = [
  '0',
  '1',
  'a',
  ' ',
  '\t',
  '\n',
  '"',
  "'",
  '`',
  '*',
  '/',
  '**/',
  '.',
  ',',
  ':',
  'T',
  '-',
  '+',
  '(',
  '[',
  '{',
  '\\',
  '%',
  '_',
  '1 day ',
  '1.',
  'é',
  '\u{1F600}',
  '--',
  '/*',
  '""',
  'a,',
  '"a",',
  '\\u0000',
  '&',
  '<a>',
  '<!--',
];

/** Returns a long text of few repeated pieces for a random text input of the API. */
export function randomAttack(random: Random): StallAttack {
  const [first, second, third] = [
    random.pick(PIECES as [string, ...string[]]),
    random.pick(PIECES as [string, ...string[]]),
    random.pick(PIECES as [string, ...string[]]),
  ];
  const long = (most: number): string =>
    (random.below(3) === 0 ? first : '') + second.repeat(1 + Math.floor(most / second.length / (random.below(3) + 1))) + third;
  const text = long(300_000);
  const quoted = JSON.stringify(text);
  const name = `${JSON.stringify([first, second, third])} in`;
  const program = (place: string, body: string): StallAttack => ({
    name: `${name} ${place}`,
    method: 'POST',
    path: random.pick(['/query', '/query-validate']),
    headers: TEXT,
    body,
  });
  const short = encodeURIComponent(long(3_000));
  return random.pick<() => StallAttack>([
    () => program('a program', text),
    () => program('a string', quoted),
    () => program('a location', `READ("file:"|| ${quoted})`),
    () =>
      program(
        'a constant location',
        `READ(${JSON.stringify(`${random.pick(['file:', 'http://', 's3://', 'filehost:/', 'pgsql://'])}${text}`)})`,
      ),
    () => program('LS', `LS(${JSON.stringify(`file:many/${text}`)})`),
    () => program('a temporal', `${random.pick(['date', 'time', 'timestamp', 'interval'])} ${quoted}`),
    () =>
      program('a cast', `CAST(${quoted} AS ${random.pick(['int', 'double', 'decimal', 'date', 'timestamp', 'interval', 'bool', 'any'])})`),
    () => program('a regex', `MATCHES("a", ${quoted})`),
    () => program('LIKE', `"a" LIKE ${quoted}`),
    () =>
      program('an option', `READ_CSV("file:spaces.csv", ${random.pick(['delimiter', 'nulls', 'encoding', 'date_format'])} := ${quoted})`),
    () => program('a type', `CAST(NULL AS ${text})`),
    () => ({ name: `${name} a view`, method: 'PUT', path: '/views/v?replace=true', headers: TEXT, body: text }),
    () => ({ name: `${name} a package`, method: 'PUT', path: '/packages/q?replace=true', headers: TEXT, body: text }),
    () => ({
      name: `${name} an argument`,
      method: 'POST',
      path: '/packages/p/functions/f',
      headers: JSON_TYPE,
      body: `{"${random.pick(['x', 't', 'i', 'd'])}":${quoted}}`,
    }),
    () => ({ name: `${name} a body`, method: 'POST', path: '/packages/p/functions/f', headers: JSON_TYPE, body: text }),
    () => ({
      name: `${name} a type of a table`,
      method: 'PUT',
      path: '/tables/u',
      headers: JSON_TYPE,
      body: JSON.stringify({ type: text, indexes: [text] }),
    }),
    () => ({
      name: `${name} an upload`,
      method: 'POST',
      path: '/tables/t/rows',
      headers: { 'Content-Type': random.pick(['text/csv', 'application/x-ndjson']) },
      body: `a,b,d\n${text}`,
    }),
    () => ({
      name: `${name} a value uploaded`,
      method: 'POST',
      path: '/tables/t/rows',
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: `{"a":1,"${random.pick(['b', 'd'])}":${quoted}}`,
    }),
    () => ({
      name: `${name} a name`,
      method: random.pick(['GET', 'PUT', 'DELETE']),
      path: `/${random.pick(['views', 'tables', 'packages', 'queries'])}/${short}`,
      headers: TEXT,
      body: '',
    }),
    () => ({ name: `${name} a parameter`, method: 'GET', path: `/catalog?pattern=${short}`, body: '' }),
    () => ({
      name: `${name} a header`,
      method: 'GET',
      path: '/views',
      headers: {
        [random.pick([
          'Accept',
          'Accept-Encoding',
          'Authorization',
          'If-None-Match',
          'X-Request-Id',
          'traceparent',
          'Origin',
          'Content-Type',
        ])]: long(3_000)
          .replaceAll(/[^\x20-\x7e]/g, '?')
          .trim(),
      },
      body: '',
    }),
  ])();
}
