import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { openTestRuntime } from './testing/test-runtime.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples');
const names = (await readdir(join(EXAMPLES, 'queries'))).filter((name) => name.endsWith('.query')).sort();

const runtime = await openTestRuntime({ root: join(EXAMPLES, 'data') });
afterAll(runtime.close);

test('there are at least twelve examples', () => {
  expect(names.length).toBeGreaterThanOrEqual(12);
});

test.each(names)('%s gives its recorded result', async (name) => {
  const text = await readFile(join(EXAMPLES, 'queries', name), 'utf8');
  expect(await runtime.run(text)).toBe(await readFile(join(EXAMPLES, 'queries', name.replace('.query', '.result')), 'utf8'));
});
