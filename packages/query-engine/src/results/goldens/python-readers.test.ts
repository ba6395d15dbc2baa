import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openTestEngine } from '../../testing/with-engine.ts';
import { isTextFormat, RESULT_FORMATS, unsupportedPart } from '../result-format.ts';
import { goldenFile, goldenText, goldenType } from './golden-bodies.ts';
import { GOLDEN_RESULTS } from './golden-values.ts';

const READER = join(import.meta.dirname, 'read_goldens.py');
const FORMATS = Object.values(RESULT_FORMATS).map((format) => format.name);

function has(modules: string): boolean {
  try {
    execFileSync('python3', ['-c', `import ${modules}`], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

const hasReaders = has('pyarrow.parquet, sqlite3; sqlite3.Connection.deserialize');
const avroReader = hasReaders && has('fastavro') ? 'fastavro' : 'fastavro (NOT at hand)';

/** Writes every golden result in every format that supports it, and returns the readers' output. */
async function readByPython(): Promise<unknown> {
  const engine = await openTestEngine();
  const folder = await mkdtemp(join(tmpdir(), 'svc-goldens-'));
  try {
    for (const [i, result] of GOLDEN_RESULTS.entries()) {
      for (const format of FORMATS) {
        if (unsupportedPart(format, goldenType(result)) !== null) continue;
        const bytes = isTextFormat(format)
          ? await goldenText(engine, result, { format, lineEnding: 'unix' })
          : (await goldenFile(engine, result, format)).bytes;
        await writeFile(join(folder, `${i}.${format}`), bytes);
      }
    }
    await writeFile(join(folder, 'goldens.json'), JSON.stringify(GOLDEN_RESULTS.map(({ name }) => name)));
    return JSON.parse(execFileSync('python3', ['-B', READER, folder], { encoding: 'utf8', timeout: 60_000 }));
  } finally {
    await rm(folder, { recursive: true, force: true });
    await engine.close();
  }
}

if (hasReaders)
  test(`json, csv, sqlite3, pyarrow and ${avroReader} of Python find in every format what was asked for`, async () => {
    const expected = GOLDEN_RESULTS.map((result) => [
      result.name,
      Object.fromEntries(FORMATS.map((format) => [format, unsupportedPart(format, goldenType(result)) === null ? 'same' : 'refused'])),
    ]);
    expect(await readByPython()).toEqual(Object.fromEntries(expected));
  });
else
  test('Python is NOT asked what it finds in each format: no python3, 3.11 or later, that has pyarrow is at hand', () => {
    expect(hasReaders).toBe(false);
  });
