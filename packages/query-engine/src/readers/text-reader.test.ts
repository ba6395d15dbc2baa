import { writeFile } from 'node:fs/promises';

import { readBack } from '../testing/read-back.ts';
import { openTestEngine, type TestEngine } from '../testing/with-engine.ts';
import type { TextReadPlan } from './read-plan.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

it('reads a file as text, as bytes, and as lines', async () => {
  const path = `${engine.root}/a.txt`;
  await writeFile(path, 'a,"b\n\n é\tx\r\nlast');
  const plan = (unit: TextReadPlan['unit']): TextReadPlan => ({
    kind: 'text',
    unit,
    encoding: null,
    files: [{ path, location: path }],
    fileColumns: [],
    onError: 'fail',
    compression: null,
    isTrusted: true,
  });
  expect(await readBack(engine, plan('text'))).toEqual(['"a,\\"b\\n\\n é\\tx\\r\\nlast"']);
  expect(await readBack(engine, plan('binary'))).toEqual([JSON.stringify(Buffer.from('a,"b\n\n é\tx\r\nlast').toString('base64'))]);
  expect(await readBack(engine, plan('lines'))).toEqual(['"a,\\"b"', '""', '" é\\tx"', '"last"']);
});
