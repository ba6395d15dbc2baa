import { gzipSync, zstdCompressSync } from 'node:zlib';

import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime({ spoolMegabytes: 500 });
});
afterAll(() => at.close());

const line = (megabytes: number): string => 'a'.repeat(megabytes * 1_000_000);
const PACKED = {
  plain: (text: string) => text,
  gz: (text: string) => gzipSync(text, { level: 1 }),
  zst: (text: string) => zstdCompressSync(text),
} as const;
const FORMS = ['plain', 'gz', 'zst'] as const;

describe('a line of CSV that is longer than a line may be is an error, and never left out:', () => {
  describe.each(FORMS)('%s', (form) => {
    test.each([
      ['the only row', `a,b\n${line(40)},1\n`],
      ['the last row', `a,b\nx,0\n${line(33)},1`],
      ['the last row, ended by CR LF', `a,b\r\nx,0\r\n${line(33)},1\r\n`],
      ['the last row before empty lines', `a,b\nx,0\n${line(33)},1\n\n  \n${'\n'.repeat(1_000_000)}`],
      ['a row between others', `a,b\nx,0\n${line(33)},1\n${'y,2\n'.repeat(1000)}`],
      ['a row of 3 MB', `a,b\nx,0\n${line(3)},1\ny,2\n`],
      ['a cell in quotes', `a,b\nx,0\n"${line(33)}",1\n`],
    ])(
      '%s',
      async (_, text) => {
        await at.write(`f.${form}`, PACKED[form](text));
        // Decompression does not depend on whether the type is declared.
        const typed = form === 'gz' ? [] : [`READ_CSV("file:f.${form}" AS collection(record(a: string, b: int)))`];
        for (const read of [`READ_CSV("file:f.${form}")`, ...typed]) {
          const [answer, ...more] = await at.run(`SELECT LEN(t.a) FROM ${read} t`);
          expect([answer, more]).toEqual([
            expect.stringMatching(
              /^! file:f\.\w+: (line [23] is longer than 2 MB|a line is longer than a line may be|the last line is longer than 2 MB) at /,
            ),
            [],
          ]);
        }
      },
      60_000,
    );
  });
});

test.each(FORMS)('a quote that does not end is an error, and no row is left out: %s', async (form) => {
  for (const rest of ['', `${'4,z\n'.repeat(1000)}`]) {
    await at.write(`quote.${form}`, PACKED[form](`a,b\n1,x\n2,"y\n${rest}`));
    expect(await at.run(`READ_CSV("file:quote.${form}" AS collection(record(a: int, b: string)))`)).toEqual([
      expect.stringContaining('line 3: a quoted cell does not end'),
    ]);
  }
});

describe('so is one of READ_LINES:', () => {
  describe.each(FORMS)('%s', (form) => {
    test.each([
      ['the only line', line(33)],
      ['the last line', `x\n${line(33)}\n`],
      ['the last line, ended by CR LF', `x\r\n${line(33)}\r\n`],
      ['the last line before empty lines', `x\n${line(33)}\n\n\n`],
      ['a line between others', `x\n${line(33)}\n${'y\n'.repeat(1000)}`],
      ['a line of 17 MB', `x\n${line(17)}\ny\n`],
    ])(
      '%s',
      async (_, text) => {
        await at.write(`f.${form}`, PACKED[form](text));
        const [answer, ...more] = await at.run(`SELECT LEN(l) FROM READ_LINES("file:f.${form}") l`);
        expect([answer, more]).toEqual([
          expect.stringMatching(/^! file:f\.\w+: (line [12] is longer than 16 MB|the last line is longer than 16 MB) at /),
          [],
        ]);
      },
      60_000,
    );
  });
});

test('a large file whose lines are short is read to its end', async () => {
  await at.write('long.csv', `n,t\n${`1,${'x'.repeat(97)}\n`.repeat(340_000)}2,x`);
  expect(await at.run('SELECT SUM(t.n) FROM READ_CSV("file:long.csv") t')).toEqual(['340002']);
}, 60_000);
