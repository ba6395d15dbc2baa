import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createEnginePool, runStatement } from '@svc/query-engine';

import { readFooter } from './footer.ts';
import { keepRowGroups, readRowGroups } from './row-groups.ts';

const ROWS = `SELECT i AS big, i::TINYINT AS small, (i + 100)::UINTEGER AS counted, [i] AS list, i / 2 AS size, i::DECIMAL(5,1) AS price, 'é' || i AS text,
  date '1970-01-01' + i::INT AS day, timestamp '1970-01-01' + i * interval 1 second AS at, CASE WHEN i < 60 THEN NULL ELSE i END AS some
  FROM range(-100, 100) t (i)`;

let footer: Buffer;
beforeAll(async () => {
  const spoolDirectory = await realpath(await mkdtemp(join(tmpdir(), 'svc-footer-')));
  const engine = createEnginePool({ memoryMegabytes: 100, threads: 1, concurrency: 1, spoolDirectory, spoolMegabytes: 10, readRoots: [] });
  const signal = AbortSignal.timeout(60_000);
  const lease = await engine.lease(signal);
  const path = join(spoolDirectory, 'rows.parquet');
  await runStatement(lease, { sql: `COPY (FROM (${ROWS}) LIMIT 160) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 160)`, signal });
  footer = (await readFooter(path)) ?? Buffer.alloc(0);
  await lease.release();
  await engine.close();
  await rm(spoolDirectory, { recursive: true });
});

test('of each column that compares as a constant does, the bounds are known', () => {
  const [group] = readRowGroups(footer) ?? [];
  expect(group?.rows).toBe(160);
  expect([...(group?.columns ?? [])]).toEqual([
    [0, { kind: 'integer', min: -100n, max: 59n, nulls: 0, values: 160 }],
    [1, { kind: 'integer', min: -100n, max: 59n, nulls: 0, values: 160 }],
    [6, { kind: 'string', min: Buffer.from('é-1'), max: Buffer.from('é9'), nulls: 0, values: 160 }],
    [7, { kind: 'date', min: -100n, max: 59n, nulls: 0, values: 160 }],
    [8, { kind: 'timestamp', min: -100_000_000n, max: 59_000_000n, nulls: 0, values: 160 }],
    [9, { kind: 'integer', min: null, max: null, nulls: 160, values: 160 }],
  ]);
});

test('a footer of fewer row groups says so, and is no longer', () => {
  const none = keepRowGroups(footer, []);
  expect(readRowGroups(none)).toEqual([]);
  expect(none.length).toBeLessThan(footer.length);
  expect(keepRowGroups(footer, [0])).toEqual(footer);
});

test('a damaged footer is read as one or as none, and never fails', () => {
  for (let at = 0; at < footer.length; at += 1) {
    const damaged = Buffer.from(footer);
    damaged[at] = (damaged[at] ?? 0) ^ (at % 3 === 0 ? 0xff : 1 << (at % 8));
    const groups = readRowGroups(damaged);
    if (groups !== null) keepRowGroups(damaged, [0]);
    if (at % 16 === 0) readRowGroups(damaged.subarray(0, at));
  }
  expect(readRowGroups(Buffer.alloc(0))).toBeNull();
});
