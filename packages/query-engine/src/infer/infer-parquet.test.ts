import { readFile, writeFile } from 'node:fs/promises';

import { copyToFile } from '../statements/copy-to-file.ts';
import type { ParquetReadPlan } from '../readers/read-plan.ts';
import { readBack } from '../testing/read-back.ts';
import { primitive, printed } from '../testing/types.ts';
import { never, openTestEngine, type TestEngine } from '../testing/with-engine.ts';
import { inferParquet } from './infer-parquet.ts';
import type { Inferred } from './inferred.ts';
import { parquetChunks } from './parquet-chunks.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

let count = 0;
async function inferred(...queries: string[]): Promise<Inferred<ParquetReadPlan>> {
  return engine.withLease(async (lease) => {
    const files = [];
    for (const sql of queries) {
      const path = `${engine.spool}/${++count}.parquet`;
      await copyToFile(lease, { sql, path, signal: never });
      files.push({ path, location: `file:${path}` });
    }
    const fileColumns =
      queries.length > 1 ? [{ field: { name: 'f', type: primitive('int') }, values: queries.map((_, i) => String(i)) }] : [];
    return inferParquet(lease, files, { signal: never, fileColumns });
  });
}

it('reads every type, nested ones too', async () => {
  const { type, plan, isSampled } =
    await inferred(`SELECT 1::TINYINT AS by, 2::UTINYINT AS ub, 3::UBIGINT AS ul, 1.50::DECIMAL(5,2) AS d, TIMESTAMPTZ '2024-01-01 00:00:00+02' AS tz, 'x'::BLOB AS bin,
    uuid() IS NOT NULL AS b, TIMESTAMP_NS '2024-01-01 00:00:00.123456789' AS ns, INTERVAL '1 day' AS i, TIME '10:00:00' AS t, {'x': 1, 'l': [{'y': 2.5::DECIMAL(4,1)}, NULL]} AS s, MAP {'k': 1} AS m, [[1, NULL], []] AS ll, to_json({'a': 1}) AS j`);
  expect(isSampled).toBe(false);
  expect(printed(type)).toBe(
    'collection(record(by: byte nullable, ub: short nullable, ul: decimal nullable, d: decimal nullable, tz: timestamp nullable, bin: binary nullable, b: bool nullable, ns: timestamp nullable, ' +
      'i: interval nullable, t: time nullable, s: record(x: int nullable, l: collection(record(y: decimal nullable) nullable) nullable) nullable, m: collection(record(key: string, value: int nullable)) nullable, ' +
      'll: collection(collection(int nullable) nullable) nullable, j: any nullable))',
  );
  expect(await readBack(engine, plan)).toEqual([
    '{"by":1,"ub":2,"ul":3,"d":1.5,"tz":"2023-12-31T22:00:00.000","bin":"eA==","b":true,"ns":"2024-01-01T00:00:00.123456","i":"P1D","t":"10:00:00.000","s":{"x":1,"l":[{"y":2.5},null]},"m":[{"key":"k","value":1}],"ll":[[1,null],[]],"j":{"a":1}}',
  ]);
  expect(await readBack(engine, plan, ['t', 'ub'])).toEqual(['{"ub":2,"t":"10:00:00.000"}']);
});

it('reads records within one another in many levels', async () => {
  const value = Array.from({ length: 32 }).reduce<string>((inner) => `{'a': ${inner}}`, '1');
  const { type, plan } = await inferred(`SELECT ${value} AS a`);
  expect(printed(type)).toContain('record(a: int nullable)');
  expect(await readBack(engine, plan)).toEqual([`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`]);
});

it('reads several files in their order, with a column for each', async () => {
  const { type, plan } = await inferred('SELECT range AS x FROM range(2)', 'SELECT range AS x FROM range(2)');
  expect(printed(type)).toBe('collection(record(x: long nullable, f: int))');
  expect(await readBack(engine, plan)).toEqual(['{"x":0,"f":0}', '{"x":1,"f":0}', '{"x":0,"f":1}', '{"x":1,"f":1}']);
});

it('refuses a footer that does not say where a column lies', async () => {
  await engine.withLease(async (lease) => {
    const [sound, path] = [`${engine.spool}/sound.parquet`, `${engine.spool}/lost.parquet`];
    await copyToFile(lease, { sql: 'SELECT range AS i, range / 3 AS d FROM range(400)', path: sound, signal: never });
    await expect(inferParquet(lease, [{ path: sound, location: 'x' }], { signal: never })).resolves.toBeDefined();
    const bytes = await readFile(sound);
    // The field of a column of doubles that describes its pages: another one.
    bytes[bytes.lastIndexOf(Buffer.from([0x1c, 0x15, 0x0a]))] = 0x7c;
    await writeFile(path, bytes);
    await expect(inferParquet(lease, [{ path, location: 'x' }], { signal: never })).rejects.toMatchObject({
      failureClass: 'parquet',
      message: 'the file cannot be read as Parquet',
      sourcePath: path,
    });
  });
});

it.each([
  ['inference', inferParquet],
  ['chunks', async (lease, [file], { signal }) => file && parquetChunks(lease, file, signal)],
] as const satisfies [string, (...of: Parameters<typeof inferParquet>) => unknown][])(
  '%s: an unknown fault of a footer is one of the file, and keeps its cause',
  async (_, look) => {
    await engine.withLease(async (lease) => {
      const path = `${engine.spool}/footer.parquet`;
      await copyToFile(lease, { sql: 'SELECT uuid() AS u', path, signal: never });
      const bytes = await readFile(path);
      // Type and length of a fixed-length column; 0x71 is the length -57.
      bytes[bytes.indexOf(Buffer.from([0x15, 0x0e, 0x15, 0x20])) + 3] = 0x71;
      await writeFile(path, bytes);
      await expect(look(lease, [{ path, location: 'x' }], { signal: never })).rejects.toMatchObject({
        failureClass: 'parquet',
        message: 'the file cannot be read as Parquet',
        isFatal: true,
        cause: { message: expect.stringContaining('value -57 outside of target range') },
      });
      expect(lease.isBroken).toBe(true);
      // What fails because the engine is broken says nothing of the file.
      await expect(look(lease, [{ path, location: 'x' }], { signal: never })).rejects.toMatchObject({ failureClass: 'internal' });
    });
  },
);
