import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
  await at.write('ls/b.csv', 'a,b\n1,x\n');
  await at.write('ls/a.json', '{"p":[1,null]}');
  await at.write('ls/.hidden', '');
  await at.write('ls/sub/c.txt', 'x');
});
afterAll(() => at.close());

test.each([
  ['LS("file:ls")', ['"file:ls/a.json"', '"file:ls/b.csv"', '"file:ls/sub/"']],
  ['LS("file:ls/")', ['"file:ls/a.json"', '"file:ls/b.csv"', '"file:ls/sub/"']],
  ['LS("file:ls/**/*.txt")', ['"file:ls/sub/c.txt"']],
  ['LS("file:ls/b.csv")', ['"file:ls/b.csv"']],
  ['READ("file:ls")', ['! file:ls names a folder: file:ls/**/* names the files in it at READ("file:ls")']],
  ['READ("file:ls/")', ['! file:ls/ names a folder: file:ls/**/* names the files in it at READ("file:ls/")']],
  ['READ("file:l*")', ['! file:l* names a folder: file:l*/**/* names the files in it at READ("file:l*")']],
  ['READ("file:")', ['! file: names a folder: file:**/* names the files in it at READ("file:")']],
  ['LS("file:nowhere")', ['! path not found: file:nowhere at LS("file:nowhere")']],
  [
    'SELECT url, size, modified IS NULL AS m FROM LL("file:ls")',
    [
      '{"url":"file:ls/a.json","size":14,"m":false}',
      '{"url":"file:ls/b.csv","size":8,"m":false}',
      '{"url":"file:ls/sub/","size":null,"m":true}',
    ],
  ],
  ['SELECT COUNT(*) FROM LL("file:ls") f WHERE f.modified <= NOW()', ['2']],
  [
    'DESCRIBE("file:ls/b.csv").columns',
    ['{"col_name":"a","type":"int","nullable":false}', '{"col_name":"b","type":"string","nullable":false}'],
  ],
  [
    'DESCRIBE("file:ls/a.json")',
    [
      '{"format":"json","comment":"found out from all of the data","type":"record(p: collection(int nullable))","columns":[{"col_name":"p","type":"collection(int nullable)","nullable":false}],"is_collection":false,"sampled":false}',
    ],
  ],
  ['DESCRIBE("file:ls/b.csv", sample_size := 1).sampled', ['false']],
  ['LS("file:ls", skip := 1)', ['! unknown option: skip, LS takes none at skip']],
])('%s', async (query, lines) => {
  expect(await at.run(query)).toEqual(lines);
});

it('sees a folder that changes', async () => {
  await at.write('new/a', '');
  expect(await at.run('LS("file:new")')).toEqual(['"file:new/a"']);
  await at.write('new/b', '');
  expect(await at.run('LS("file:new")')).toEqual(['"file:new/a"', '"file:new/b"']);
});
