import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sniffCsv } from './sniff-csv.ts';

const folder = await mkdtemp(join(tmpdir(), 'svc-sniff-'));
const never = new AbortController().signal;
afterAll(() => rm(folder, { recursive: true, force: true }));

async function sniffed(content: string, options: Partial<Parameters<typeof sniffCsv>[1]> = {}) {
  const path = join(folder, 'x');
  await writeFile(path, content);
  const { dialect, names } = await sniffCsv(path, { signal: never, ...options });
  return { delimiter: dialect.delimiter, quote: dialect.quote, escape: dialect.escape, hasHeader: dialect.hasHeader, names };
}

const comma = { delimiter: ',', quote: '"', escape: '"', hasHeader: true };

test.each([
  ['a,b\n1,2\n', { ...comma, names: ['a', 'b'] }],
  ['a;b\n1,5;2\n2,5;3\n', { ...comma, delimiter: ';', names: ['a', 'b'] }],
  ['a\tb\n1,5\t2\n', { ...comma, delimiter: '\t', names: ['a', 'b'] }],
  ['a|b|c\n1|2|3\n', { ...comma, delimiter: '|', names: ['a', 'b', 'c'] }],
  ['"a,x","b\ny"\n1,2\n', { ...comma, names: ['a,x', 'b\ny'] }],
  ['a,b\n"x\\"y",2\n"z",3\n', { ...comma, escape: '\\', names: ['a', 'b'] }],
  ["a,b\n'x,1',2\n'z,2',3\n", { ...comma, quote: "'", escape: "'", names: ['a', 'b'] }],
  ['1,2\n3,4\n', { ...comma, hasHeader: false, names: ['_1', '_2'] }],
  ['name,town\nAnn,Lyon\n', { ...comma, names: ['name', 'town'] }],
  ['town,2020\nLyon,5\n', { ...comma, hasHeader: false, names: ['_1', '_2'] }],
  ['town,2020,2021\nLyon,5,6\n', { ...comma, hasHeader: false, names: ['_1', '_2', '_3'] }],
  ['town,1990,1995,2020\nLyon,5,6,2001\n', { ...comma, names: ['town', '1990', '1995', '2020'] }],
  ['town,2020,1995,1990\nLyon,,,7\n', { ...comma, names: ['town', '2020', '1995', '1990'] }],
  ['Ann,1990,1995,2020\nBob,1989,1994,2019\n', { ...comma, hasHeader: false, names: ['_1', '_2', '_3', '_4'] }],
  ['Ann,1990,1995,20\nBob,1,2,3\n', { ...comma, hasHeader: false, names: ['_1', '_2', '_3', '_4'] }],
  ['town,2020-01-01,2020-02-01\nLyon,5,6\n', { ...comma, names: ['town', '2020-01-01', '2020-02-01'] }],
  ['town,2020-01-01\nLyon,x\n', { ...comma, hasHeader: false, names: ['_1', '_2'] }],
  ['only\n1\n', { ...comma, names: ['only'] }],
  ['a,a,,b\n', { ...comma, names: ['a', 'a_2', '_3', 'b'] }],
])('%j', async (content, expected) => {
  expect(await sniffed(content)).toEqual(expected);
});

it('leaves out no line to make the others fit', async () => {
  expect(await sniffed('a,b\n1,2\n1,2\n1,2,3\n')).toEqual({ ...comma, names: ['a', 'b'] });
  expect(await sniffed('# about\n#\na,b\n1,2\n', { skip: 2 })).toEqual({ ...comma, names: ['a', 'b'] });
});

it('does what it is told', async () => {
  expect(await sniffed('1;2\n', { hasHeader: true, delimiter: ',' })).toMatchObject({ delimiter: ',', names: ['1;2'] });
  expect(await sniffed('"a",b\n', { quote: '' })).toMatchObject({ quote: '', names: ['"a"', 'b'] });
});

it('gives others their turn between its looks at a long text', async () => {
  let turns = 0;
  let isOver = false;
  const take = (): void => {
    turns += 1;
    if (!isOver) setImmediate(take);
  };
  const sniffing = sniffed(`a,b\n${`${'1'.repeat(100_000)},x\n`.repeat(4)}`);
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  setImmediate(take);
  expect(await sniffing).toEqual({ ...comma, names: ['a', 'b'] });
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(12);
});
