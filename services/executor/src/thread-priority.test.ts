import { spawnSync } from 'node:child_process';
import { getPriority, platform } from 'node:os';
import { fileURLToPath } from 'node:url';

const SOURCE = `
  import { existsSync, readdirSync } from 'node:fs';
  import { getPriority } from 'node:os';
  import { createEnginePool } from '@svc/query-engine';
  import { lowerThreadPriority } from ${JSON.stringify(fileURLToPath(new URL('./thread-priority.ts', import.meta.url)))};
  const count = await lowerThreadPriority();
  const threads = () => (existsSync('/proc/self/task') ? readdirSync('/proc/self/task') : []);
  const before = threads();
  const engine = createEnginePool({ memoryMegabytes: 256, threads: 3, concurrency: 1, spoolDirectory: process.cwd(), spoolMegabytes: 10, readRoots: [] });
  const lease = await engine.lease(new AbortController().signal);
  const later = threads().filter((id) => !before.includes(id)).map((id) => getPriority(Number(id)));
  await lease.release();
  await engine.close();
  console.log(JSON.stringify({ count, own: getPriority(process.pid), later }));`;

test('where threads have priorities, those of the pool and of engines have a lower one than the event loop', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--conditions=@svc/source', '--input-type=module-typescript', '-e', SOURCE], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], UV_THREADPOOL_SIZE: '6' },
  });
  expect(stderr).toBe('');
  // The test process itself may have a lowered priority.
  const own = getPriority(process.pid);
  const { later, ...others } = JSON.parse(stdout) as { readonly later: readonly number[] };
  const isLinux = platform() === 'linux';
  expect(others).toEqual({ count: isLinux ? 6 : 0, own });
  // The engine has two worker threads beside the calling thread; its allocator may have some, too.
  expect(later.length).toBeGreaterThanOrEqual(isLinux ? 2 : 0);
  expect(later).toEqual(later.map(() => 10));
});
