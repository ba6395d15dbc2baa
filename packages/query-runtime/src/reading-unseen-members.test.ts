import { gzipSync, zstdCompressSync } from 'node:zlib';

import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
});
afterAll(() => at.close());

const UNSEEN = 'is not in the sample that the type comes from: sample_size := -1 looks at all of the data';

/** Returns `count` documents of one kind, and another one. */
const lines = (first: string, last: string, count = 3): string => `${`${first}\n`.repeat(count)}${last}\n`;

describe('a member of JSON that appears after the sample is named, with its line', () => {
  test.each([
    ['a member', lines('{"a":1}', '{"a":2,"b":3}'), 'line 4: the member b'],
    ['a nested member', lines('{"a":1,"n":{"x":1}}', '{"a":1,"n":{"x":1,"y":2}}'), 'line 4: n: the member y'],
    ['a member in an array', lines('{"a":[{"x":1}]}', '{"a":[{"x":1},{"z":2}]}'), 'line 4: a[]: the member z'],
    [
      'a member beside others of every type',
      lines('{"s":"2020-01-01","l":1,"d":1.5,"b":true,"n":null,"m":[1,"x"],"e":[]}', '{"s":"x","q":1}'),
      'line 4: the member q',
    ],
    ['a member with a quote in its name', lines('{"a":1}', '{"a":1,"b\\"c":3}'), 'line 4: the member b"c'],
    ['a member of a name that differs in case', lines('{"a":1}', '{"a":1,"A":3}'), 'line 4: the member A'],
    ['a member beside names that differ in case', lines('{"a":1,"A":1}', '{"a":1,"c":3}'), 'line 4: the member c'],
    ['a member of a row that is an array', lines('[{"a":1}]', '[{"a":1,"b":2}]'), 'line 4: []: the member b'],
  ])('%s', async (_, content, place) => {
    await at.write('f.ndjson', content);
    expect(await at.run('READ("file:f.ndjson", sample_size := 2)')).toEqual([
      `! file:f.ndjson: ${place} ${UNSEEN} at READ("file:f.ndjson", sample_size := 2)`,
    ]);
    expect((await at.run('READ("file:f.ndjson", sample_size := -1)')).length).toBe(4);
  });

  test('in an array, its element is', async () => {
    await at.write('f.json', '[{"a":1},{"a":1},{"a":1,"b":{"c":2}}]');
    expect(await at.run('SELECT * FROM READ("file:f.json", sample_size := 2)')).toEqual([
      `! file:f.json: element 3: the member b ${UNSEEN} at READ("file:f.json", sample_size := 2)`,
    ]);
  });

  test('past the 10,000 documents that are looked at unless told otherwise', async () => {
    await at.write('long.ndjson', lines('{"a":1,"n":{"x":1}}', '{"a":2,"n":{"x":1,"y":2}}', 12_000));
    const place = `! file:long.ndjson: line 12001: n: the member y ${UNSEEN} at READ("file:long.ndjson")`;
    expect(await at.run('SELECT * FROM READ("file:long.ndjson")')).toEqual([place]);
    expect(await at.run('SELECT n FROM READ("file:long.ndjson")')).toEqual([place]);
    expect(await at.run('SELECT SUM(t.a) FROM READ("file:long.ndjson") t')).toEqual(['12002']);
    expect(await at.run('SELECT COUNT(*) FROM READ("file:long.ndjson") t')).toEqual(['12001']);
    expect(await at.run('SELECT COUNT(*) FROM READ("file:long.ndjson" AS collection(record(a: int))) t')).toEqual(['12001']);
    expect(await at.run('SELECT LAST(n) FROM READ("file:long.ndjson", sample_size := -1)')).toEqual(['{"x":1,"y":2}']);
  });

  test('conditions on fields see the documents of the file alone, which the engine reads beside an example', async () => {
    const documents = [
      { id: 1, items: [{ qty: 2 }, { qty: 3 }], ship: { to: ['1'] }, note: '12' },
      { id: 2, items: null, ship: null, note: '7' },
      { id: 3, items: [], ship: { to: null }, note: '1' },
    ];
    await at.write('orders.ndjson', lines(documents.map((each) => JSON.stringify(each)).join('\n'), '{"id":4,"items":null,"note":"2"}', 1));
    const from = 'FROM READ("file:orders.ndjson", sample_size := 3) r WHERE';
    const found = async (condition: string): Promise<readonly string[]> => {
      const answer = await at.run(`SELECT r.id ${from} ${condition}`);
      expect(await at.run(`SELECT r.id ${from.replace('3', '-1')} ${condition}`)).toEqual(answer);
      return answer;
    };
    expect(await found('LEN(r.items) > 1')).toEqual(['1']);
    expect(await found('r.items IS NOT NULL')).toEqual(['1', '3']);
    expect(await found('r.items = r.items')).toEqual(['1', '3']);
    expect(await found('r.items[0].qty = 2')).toEqual(['1']);
    expect(await found('r.ship.to IS NOT NULL')).toEqual(['1']);
    expect(await found('r.ship IS NOT NULL')).toEqual(['1', '3']);
    expect(await found('CAST(r.note AS int) < 5')).toEqual(['3', '4']);
  });

  test.each([
    ['a member of a record', 'SELECT t.n.x FROM $ t', ['1', '1', '1', '2']],
    ['a member of a record, beside all other fields', 'SELECT t.a, t.n.x, LEN(t.i) FROM $ t WHERE t.a > 1', 'fails'],
    ["members of a collection's records", 'SELECT i.y FROM $ t, t.i i', ['5', '5', '5', '6']],
    ['records of a collection that are counted', 'SELECT COUNT(*) FROM $ t, t.i i', ['4']],
    ['a member of a record in a sub-query', 'SELECT SUM(u.n.x) FROM (SELECT n, a FROM $) u', ['5']],
    ["members of each collection's records", 'SELECT (SELECT SUM(i.y) FROM t.i i) FROM $ t', ['5', '5', '5', '6']],
    ['a member by a declaration', 'r := SELECT n, a FROM $; SELECT SUM(r.n.x) FROM r', ['5']],
    ['a record', 'SELECT n FROM $', 'fails'],
    ['a record in a sub-query', 'SELECT u.n FROM (SELECT n, a FROM $) u', 'fails'],
    ['a record and its member', 'SELECT t.n.x, t.n FROM $ t', 'fails'],
    ['the records of a collection', 'SELECT i FROM $ t, t.i i', 'fails'],
    ["all fields of a collection's records", 'SELECT i.* FROM $ t, t.i i', 'fails'],
    [
      "all members but one of a collection's records",
      'SELECT i.* EXCLUDE (z) FROM $ t, t.i i',
      ['{"y":5}', '{"y":5}', '{"y":5}', '{"y":6}'],
    ],
    ["all fields of a collection's records, by name", 'SELECT i.z, i.y, t.a FROM $ t, t.i i', 'fails'],
    [
      'fields of records in records',
      'SELECT i.z.w, i.y FROM $ t, t.i i',
      ['{"w":1,"y":5}', '{"w":1,"y":5}', '{"w":1,"y":5}', '{"w":1,"y":6}'],
    ],
    ['a collection', 'SELECT LEN(t.i) FROM $ t', 'fails'],
    ["a record in a collection's records", 'SELECT i.z FROM $ t, t.i i', 'fails'],
    ['the row', 'SELECT COUNT(t) FROM (SELECT DISTINCT * FROM $) t', 'fails'],
  ])('a query fails on unknown members of what it reads as a whole: %s', async (_, query, expected) => {
    await at.write(
      'u.ndjson',
      lines('{"a":1,"n":{"x":1},"i":[{"y":5,"z":{"w":1}}]}', '{"a":2,"n":{"x":2,"q":3},"i":[{"y":6,"q":7,"z":{"w":1}}]}'),
    );
    const read = 'READ("file:u.ndjson", sample_size := 2)';
    const failure = `! file:u.ndjson: line 4: n: the member q ${UNSEEN} at ${read}`;
    expect(await at.run(query.replace('$', read))).toEqual(Array.isArray(expected) ? expected : [failure]);
  });

  test('all fields of an element are the element', async () => {
    await at.write('u.ndjson', lines('{"i":[{"y":5,"z":1}]}', '{"i":[{"y":6,"z":1,"q":7}]}'));
    const from = 'FROM READ("file:u.ndjson", sample_size := 2) t, t.i i';
    const place = `! file:u.ndjson: line 4: i[]: the member q ${UNSEEN} at READ("file:u.ndjson", sample_size := 2)`;
    expect(await at.run(`SELECT i.* ${from}`)).toEqual([place]);
    expect(await at.run(`SELECT DISTINCT 1 AS one, i.* ${from}`)).toEqual([place]);
    expect(await at.run(`SELECT i.z, SUM(i.y) AS y ${from} GROUP BY i.z`)).toEqual(['{"z":1,"y":21}']);
  });

  test('a query that asks for it is told how many rows were looked at', async () => {
    await at.write('f.ndjson', lines('{"a":1,"n":{"x":1}}', '{"a":2,"n":{"x":1,"y":2},"b":3}'));
    const hint = '; the fields were found in the first 2 rows of the data: sample_size := -1 looks at all at';
    const from = 'FROM READ("file:f.ndjson", sample_size := 2)';
    expect(await at.run(`SELECT b ${from}`)).toEqual([`! b is not declared${hint} b`]);
    expect(await at.run(`SELECT n.y ${from} t`)).toEqual([`! y is not a field of record(x: long nullable) nullable${hint} y`]);
    expect(await at.run('SELECT b FROM [(a: 1)], READ("file:f.ndjson") t')).toEqual(['null', 'null', 'null', '3']);
    expect(await at.run('SELECT c FROM READ("file:f.ndjson")')).toEqual(['! c is not declared at c']);
  });

  test.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ])('compressed by %s', async (name, compress) => {
    await at.write(`packed.${name}`, compress(lines('{"a":1}', '{"a":2,"b":3}')));
    const read = `READ_JSON("file:packed.${name}", sample_size := 2)`;
    expect(await at.run(read)).toEqual([`! file:packed.${name}: line 4: the member b ${UNSEEN} at ${read}`]);
  });

  test('of several files, the file is', async () => {
    await at.write('many/a.ndjson', lines('{"a":1}', '{"a":1}'));
    await at.write('many/b.json', '[{"a":5},{"c":1}]');
    const read = 'READ("file:many/*", sample_size := 2, file_name := TRUE)';
    expect(await at.run(read)).toEqual([`! file:many/b.json: element 2: the member c ${UNSEEN} at ${read}`]);
  });

  test('what a folder gives is no such member', async () => {
    await at.write('parts/k=1/f.ndjson', lines('{"a":1,"k":7}', '{"a":2,"k":8}'));
    expect(await at.run('SELECT SUM(t.a + t.k) FROM READ("file:parts/**/*.ndjson", sample_size := 2) t')).toEqual(['9']);
    expect((await at.run('READ("file:parts/**/*.ndjson", sample_size := 2)')).at(-1)).toBe('{"a":2,"k":1}');
  });

  test('on_error := "null" tells of it too, and "skip" leaves its row out', async () => {
    await at.write('f.ndjson', lines('{"a":1}', '{"a":2,"b":3}'));
    const read = 'READ("file:f.ndjson", sample_size := 2, on_error := "null")';
    expect(await at.run(read)).toEqual([`! file:f.ndjson: line 4: the member b ${UNSEEN} at ${read}`]);
    expect(await at.run('READ("file:f.ndjson", sample_size := 2, on_error := "skip")')).toEqual(['{"a":1}', '{"a":1}', '{"a":1}']);
  });

  test('the types of the members stay what they are', async () => {
    await at.write('f.ndjson', lines('{"s":"2020-01-01","l":12345678901,"d":1.5,"b":true,"m":[1,"x"],"r":{"x":[[1]]},"e":{}}', '{"d":2}'));
    expect(await at.run('READ("file:f.ndjson", sample_size := 2)')).toEqual([
      ...Array.from({ length: 3 }, () => '{"s":"2020-01-01","l":12345678901,"d":1.5,"b":true,"m":[1,"x"],"r":{"x":[[1]]},"e":{}}'),
      '{"s":null,"l":null,"d":2.0,"b":null,"m":null,"r":null,"e":null}',
    ]);
  });
});

describe('of XML that appears after the sample', () => {
  test.each([
    ['a child', '<r>\n<p><a>1</a></p>\n<p><a>1</a><b>2</b></p></r>', 'line 3: the member b of p'],
    ['an attribute', '<r>\n<p><a>1</a></p>\n<p k="v"><a>1</a></p></r>', 'line 3: the member @k of p'],
    ['a text', '<r>\n<p><a>1</a></p>\n<p>x<a>1</a></p></r>', 'line 3: the member #text of p'],
    ['a child of a child', '<r>\n<p><a><c>1</c></a></p>\n<p><a><c>1</c><d/></a></p></r>', 'line 3: the member d of a'],
    ['an attribute of what was text', '<r>\n<p><a>1</a></p>\n<p><a k="v">1</a></p></r>', 'line 3: the member @k of a'],
  ])('%s is named, with its line', async (_, content, place) => {
    await at.write('f.xml', content);
    const read = 'READ("file:f.xml", row_tag := "p", sample_size := 1)';
    expect(await at.run(read)).toEqual([`! file:f.xml: ${place} ${UNSEEN} at ${read}`]);
    expect((await at.run('READ("file:f.xml", row_tag := "p", sample_size := -1)')).length).toBe(2);
    expect((await at.run('READ("file:f.xml" AS collection(record(z: int nullable) nullable), row_tag := "p")')).length).toBe(2);
  });
});
