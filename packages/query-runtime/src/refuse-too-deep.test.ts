import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openTestRuntime, type TestRuntime } from './testing/test-runtime.ts';

let root: string;
let at: TestRuntime;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-deep-'));
  at = await openTestRuntime({ root });
});
afterAll(async () => {
  await at.close();
  await rm(root, { recursive: true });
});

test('a chain that is deeper than the stack allows is refused', async () => {
  await expect(at.run(`SELECT ${Array(20_000).fill('x').join(' + ')} AS s FROM [1] x`)).rejects.toMatchObject({
    validationErrors: [{ message: 'the program is too large: its parts depend on each other too deeply' }],
  });
  expect(await at.run('1 + 1')).toBe('2\n');
});
